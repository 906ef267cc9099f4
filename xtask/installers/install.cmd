@echo off
rem Copies the plugins and programs beside this script into the folders of the present user. Needs no administrator rights.
rem "install.cmd --remove" removes them again.
setlocal
set "HERE=%~dp0"
set "COMMON=%LOCALAPPDATA%\Programs\Common"
set "PROGRAMS=%LOCALAPPDATA%\Programs\Urto"
if "%~1"=="--remove" goto remove
if not "%~1"=="" goto usage

if not exist "%COMMON%\CLAP" mkdir "%COMMON%\CLAP"
if not exist "%COMMON%\VST3" mkdir "%COMMON%\VST3"
if not exist "%PROGRAMS%" mkdir "%PROGRAMS%"
copy /y "%HERE%Urto.clap" "%COMMON%\CLAP\Urto.clap" >nul || goto failed
if exist "%COMMON%\VST3\Urto.vst3" rmdir /s /q "%COMMON%\VST3\Urto.vst3"
xcopy /e /i /q /y "%HERE%Urto.vst3" "%COMMON%\VST3\Urto.vst3" >nul || goto failed
copy /y "%HERE%urto.exe" "%PROGRAMS%\urto.exe" >nul || goto failed
copy /y "%HERE%urto-cli.exe" "%PROGRAMS%\urto-cli.exe" >nul || goto failed
echo installed %COMMON%\CLAP\Urto.clap
echo installed %COMMON%\VST3\Urto.vst3
echo installed %PROGRAMS%\urto.exe and urto-cli.exe
echo Rescan plugins in your host; it lists Urto as an instrument and Urto FonoBump as an effect.
exit /b 0

:remove
if exist "%COMMON%\CLAP\Urto.clap" del /q "%COMMON%\CLAP\Urto.clap"
if exist "%COMMON%\VST3\Urto.vst3" rmdir /s /q "%COMMON%\VST3\Urto.vst3"
if exist "%PROGRAMS%" rmdir /s /q "%PROGRAMS%"
echo removed Urto
exit /b 0

:failed
echo A file cannot be copied. Close programs that use Urto, and try again. 1>&2
exit /b 1

:usage
echo usage: install.cmd [--remove] 1>&2
exit /b 2
