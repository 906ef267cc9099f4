# Copies the plugins and programs beside this script into the folders of the present user; needs no administrator rights.
# The work is that of install.cmd: .\install.ps1 [--remove]
& (Join-Path $PSScriptRoot 'install.cmd') @args
exit $LASTEXITCODE
