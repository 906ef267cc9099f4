@echo off
rem Copies the plugins and programs beside this script into the folders of the present user. Needs no administrator rights.
rem "install.cmd --remove" removes them again.
setlocal
set "HERE=%~dp0"
set "COMMON=%LOCALAPPDATA%\Programs\Common"
set "PROGRAMS=%LOCALAPPDATA%\Programs\Urto"
set "REMOVE=no"
if "%~1"=="--remove" set "REMOVE=yes"
if not "%~1"=="" if "%REMOVE%"=="no" goto usage

rem An old file that cannot be deleted is in use.
if exist "%COMMON%\CLAP\Urto.clap" del /q "%COMMON%\CLAP\Urto.clap"
if exist "%COMMON%\CLAP\Urto.clap" goto failed
if exist "%COMMON%\VST3\Urto.vst3" rmdir /s /q "%COMMON%\VST3\Urto.vst3"
if exist "%COMMON%\VST3\Urto.vst3" goto failed
if exist "%PROGRAMS%" rmdir /s /q "%PROGRAMS%"
if exist "%PROGRAMS%" goto failed
if "%REMOVE%"=="yes" goto removed

if not exist "%COMMON%\CLAP" mkdir "%COMMON%\CLAP"
mkdir "%COMMON%\VST3\Urto.vst3"
mkdir "%PROGRAMS%"
copy "%HERE%Urto.clap" "%COMMON%\CLAP\Urto.clap" >nul
if not exist "%COMMON%\CLAP\Urto.clap" goto failed
xcopy /e /q /y "%HERE%Urto.vst3" "%COMMON%\VST3\Urto.vst3" >nul
if not exist "%COMMON%\VST3\Urto.vst3\Contents" goto failed
copy "%HERE%urto.exe" "%PROGRAMS%\urto.exe" >nul
if not exist "%PROGRAMS%\urto.exe" goto failed
copy "%HERE%urto-cli.exe" "%PROGRAMS%\urto-cli.exe" >nul
if not exist "%PROGRAMS%\urto-cli.exe" goto failed
echo installed %COMMON%\CLAP\Urto.clap
echo installed %COMMON%\VST3\Urto.vst3
echo installed %PROGRAMS%\urto.exe and urto-cli.exe
echo Rescan plugins in your host; it lists Urto as an instrument and Urto FonoBump as an effect.
exit /b 0

:removed
echo removed Urto
exit /b 0

:failed
echo A file cannot be replaced. Close programs that use Urto, and try again. 1>&2
exit /b 1

:usage
echo usage: install.cmd [--remove] 1>&2
exit /b 2
