#!/bin/sh
# Copies the plugins and programs beside this script into the folders of the present user. Needs no administrator rights.
# `sh install.sh --remove` removes them again.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
programs="$HOME/.local/bin"
case $(uname -s) in
Darwin)
    clap="$HOME/Library/Audio/Plug-Ins/CLAP"
    vst3="$HOME/Library/Audio/Plug-Ins/VST3"
    components="$HOME/Library/Audio/Plug-Ins/Components"
    ;;
*)
    clap="$HOME/.clap"
    vst3="$HOME/.vst3"
    components=
    ;;
esac

remove=no
case ${1-} in
'') ;;
--remove) remove=yes ;;
*)
    echo "usage: sh install.sh [--remove]" >&2
    exit 2
    ;;
esac

# install NAME FOLDER: copies NAME, and renames the copy over an older one, which a running host keeps
install() {
    if [ -z "$2" ] || [ ! -e "$here/$1" ]; then
        return
    fi
    if [ $remove = yes ]; then
        rm -rf -- "${2:?}/$1"
        echo "removed $2/$1"
        return
    fi
    mkdir -p -- "$2"
    rm -rf -- "$2/$1.new"
    cp -R -- "$here/$1" "$2/$1.new"
    if [ -d "$2/$1" ]; then
        rm -rf -- "${2:?}/$1"
    fi
    mv -f -- "$2/$1.new" "$2/$1"
    echo "installed $2/$1"
}

install Urto.clap "$clap"
install Urto.vst3 "$vst3"
install Urto.component "$components"
install urto "$programs"
install urto-cli "$programs"

if [ $remove = no ]; then
    echo "Rescan plugins in your host; it lists Urto as an instrument and Urto FonoBump as an effect."
    case ":$PATH:" in
    *":$programs:"*) ;;
    *) echo "Start the programs as $programs/urto and $programs/urto-cli, or add $programs to PATH." ;;
    esac
fi
