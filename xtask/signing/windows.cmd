@echo off
rem Signs a program or library with the certificate of the workflow. `cargo xtask dist` calls it for each where URTO_SIGN names it.
signtool sign /f "%RUNNER_TEMP%\certificate.pfx" /p "%CERTIFICATE_PASSWORD%" /fd sha256 /tr http://timestamp.digicert.com /td sha256 %1
