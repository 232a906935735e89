#!/bin/bash

__streamrun_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__streamrun_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__streamrun_add_completions() {
    local word="${cur}"
    [[ "${1}" = -W ]] && printf -v word %q "${cur}"
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${word}")
}

__streamrun_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_streamrun() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    if [[ "${COMP_CWORD}" -gt 1 && "${COMP_WORDS[1]}" = -* && "${COMP_WORDS[1]}" != @(--version|-h|--help) ]]; then
        _streamrun_run
        return
    fi
    __streamrun_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    run|validate|test|format|edit|diff|patch|merge|resolve|show|replay|explain|bench|state|top|eval|import|operators|functions|schema|canonical|hash|worker|shard|lsp|studio|help)
        # Offer subcommand argument completions
        "_streamrun_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'run validate test format edit diff patch merge resolve show replay explain bench state top eval import operators functions schema canonical hash worker shard lsp studio help' -- "${cur}"))
        ;;
    esac
}

_streamrun_run() {
    repeating_flags=()
    non_repeating_flags=(--follow --append --overwrite --timestamps --virtual --skip-errors --refeed --sandbox --watch --print-model --no-files --version -h --help)
    repeating_options=(--input --input-format --set --parameters --output --output-format --call --call-header --tap --allow-read)
    non_repeating_options=(-e --items --csv-delimiter --csv-quote --csv-decimal --csv-types --event-time --unit --lateness --late --max-jump --idle --seed --format --columns --rotate --late-output --speed --limit --for --threads --state --every --state-mismatch --call-limit --call-timeout --tap-to --metrics --metrics-every --socket --log --record --memory --time-per-value --max-value --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion run -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--input')
        return
        ;;
    '--input-format')
        return
        ;;
    '--items')
        return
        ;;
    '--csv-delimiter')
        return
        ;;
    '--csv-quote')
        return
        ;;
    '--csv-decimal')
        return
        ;;
    '--csv-types')
        return
        ;;
    '--event-time')
        return
        ;;
    '--unit')
        __streamrun_add_completions -W 's'$'\n''ms'$'\n''us'$'\n''ns'
        return
        ;;
    '--lateness')
        return
        ;;
    '--late')
        __streamrun_add_completions -W 'apply'$'\n''drop'$'\n''output'
        return
        ;;
    '--max-jump')
        return
        ;;
    '--idle')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--output')
        __streamrun_add_completions -f
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'ndjson'$'\n''json'$'\n''text'$'\n''csv'$'\n''tsv'$'\n''marbles'
        return
        ;;
    '--output-format')
        return
        ;;
    '--columns')
        return
        ;;
    '--rotate')
        return
        ;;
    '--late-output')
        __streamrun_add_completions -f
        return
        ;;
    '--speed')
        return
        ;;
    '--limit')
        return
        ;;
    '--for')
        return
        ;;
    '--threads')
        return
        ;;
    '--state')
        __streamrun_add_completions -d
        return
        ;;
    '--every')
        return
        ;;
    '--state-mismatch')
        __streamrun_add_completions -W 'keep'$'\n''reset'$'\n''refuse'
        return
        ;;
    '--call')
        return
        ;;
    '--call-header')
        return
        ;;
    '--call-limit')
        return
        ;;
    '--call-timeout')
        return
        ;;
    '--tap')
        return
        ;;
    '--tap-to')
        __streamrun_add_completions -f
        return
        ;;
    '--metrics')
        __streamrun_add_completions -f
        return
        ;;
    '--metrics-every')
        return
        ;;
    '--socket')
        __streamrun_add_completions -d
        return
        ;;
    '--log')
        __streamrun_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--record')
        __streamrun_add_completions -o plusdirs -fX '!*.@(ndjson)'
        return
        ;;
    '--memory')
        return
        ;;
    '--time-per-value')
        return
        ;;
    '--max-value')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_validate() {
    repeating_flags=()
    non_repeating_flags=(--all --no-files --version -h --help)
    repeating_options=(--set --parameters --allow-read)
    non_repeating_options=(-e --format --seed --color)
    __streamrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion validate -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __streamrun_add_completions -f
        return
        ;;
    esac
}

_streamrun_test() {
    repeating_flags=()
    non_repeating_flags=(--all --verbose -v --update --coverage --no-files --version -h --help)
    repeating_options=(--set --parameters --allow-read)
    non_repeating_options=(--filter --format --coverage-below --jobs -j --seed --budget --memory --color)
    __streamrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--filter')
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'$'\n''junit'$'\n''tap'
        return
        ;;
    '--coverage-below')
        return
        ;;
    '--jobs'|'-j')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--budget')
        return
        ;;
    '--memory')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __streamrun_add_completions -f
        return
        ;;
    esac
}

_streamrun_format() {
    repeating_flags=()
    non_repeating_flags=(--all --in-place -i --check --add-ids --short --version -h --help)
    repeating_options=()
    non_repeating_options=(-e --output -o --color)
    __streamrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion format -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--output'|'-o')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __streamrun_add_completions -f
        return
        ;;
    esac
}

_streamrun_edit() {
    repeating_flags=()
    non_repeating_flags=(--dry-run --no-files --version -h --help)
    repeating_options=(--set --remove --append-item --insert-item --remove-item --add-operator --remove-operator --move-operator --rename --set-input --delay --at --allow-read)
    non_repeating_options=(--output -o --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--set')
        return
        ;;
    '--remove')
        return
        ;;
    '--append-item')
        return
        ;;
    '--insert-item')
        return
        ;;
    '--remove-item')
        return
        ;;
    '--add-operator')
        return
        ;;
    '--remove-operator')
        return
        ;;
    '--move-operator')
        return
        ;;
    '--rename')
        return
        ;;
    '--set-input')
        return
        ;;
    '--delay')
        return
        ;;
    '--at')
        return
        ;;
    '--output'|'-o')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_diff() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --behavior --no-files --version -h --help)
    repeating_options=(--input --input-format --set --parameters --allow-read)
    non_repeating_options=(-e --format --items --csv-delimiter --csv-quote --csv-decimal --csv-types --event-time --unit --lateness --late --max-jump --idle --limit --for --budget --memory --seed --color)
    __streamrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion diff -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'$'\n''patch'$'\n''merge-patch'
        return
        ;;
    '--input')
        return
        ;;
    '--input-format')
        return
        ;;
    '--items')
        return
        ;;
    '--csv-delimiter')
        return
        ;;
    '--csv-quote')
        return
        ;;
    '--csv-decimal')
        return
        ;;
    '--csv-types')
        return
        ;;
    '--event-time')
        return
        ;;
    '--unit')
        __streamrun_add_completions -W 's'$'\n''ms'$'\n''us'$'\n''ns'
        return
        ;;
    '--lateness')
        return
        ;;
    '--late')
        __streamrun_add_completions -W 'apply'$'\n''drop'$'\n''output'
        return
        ;;
    '--max-jump')
        return
        ;;
    '--idle')
        return
        ;;
    '--limit')
        return
        ;;
    '--for')
        return
        ;;
    '--budget')
        return
        ;;
    '--memory')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __streamrun_add_completions -f
        return
        ;;
    esac
}

_streamrun_patch() {
    repeating_flags=()
    non_repeating_flags=(--in-place -i --no-files --version -h --help)
    repeating_options=(--allow-read)
    non_repeating_options=(--output -o --color)
    __streamrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--output'|'-o')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    2)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_merge() {
    repeating_flags=()
    non_repeating_flags=(--in-place -i --no-files --version -h --help)
    repeating_options=(--allow-read)
    non_repeating_options=(--favor --path --output -o --color)
    __streamrun_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--favor')
        __streamrun_add_completions -W 'ours'$'\n''theirs'
        return
        ;;
    '--path')
        return
        ;;
    '--output'|'-o')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -f
        return
        ;;
    2)
        __streamrun_add_completions -f
        return
        ;;
    3)
        __streamrun_add_completions -f
        return
        ;;
    esac
}

_streamrun_resolve() {
    repeating_flags=()
    non_repeating_flags=(--no-files --version -h --help)
    repeating_options=(--allow-read)
    non_repeating_options=(--favor --output -o --color)
    __streamrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--favor')
        __streamrun_add_completions -W 'ours'$'\n''theirs'
        return
        ;;
    '--output'|'-o')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_show() {
    repeating_flags=()
    non_repeating_flags=(--graph --stages --ascii --no-files --version -h --help)
    repeating_options=(--input --input-format --set --parameters --allow-read)
    non_repeating_options=(-e --test --items --csv-delimiter --csv-quote --csv-decimal --csv-types --event-time --unit --lateness --late --max-jump --idle --every --limit --for --format --width --output -o --budget --memory --seed --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion show -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--test')
        return
        ;;
    '--input')
        return
        ;;
    '--input-format')
        return
        ;;
    '--items')
        return
        ;;
    '--csv-delimiter')
        return
        ;;
    '--csv-quote')
        return
        ;;
    '--csv-decimal')
        return
        ;;
    '--csv-types')
        return
        ;;
    '--event-time')
        return
        ;;
    '--unit')
        __streamrun_add_completions -W 's'$'\n''ms'$'\n''us'$'\n''ns'
        return
        ;;
    '--lateness')
        return
        ;;
    '--late')
        __streamrun_add_completions -W 'apply'$'\n''drop'$'\n''output'
        return
        ;;
    '--max-jump')
        return
        ;;
    '--idle')
        return
        ;;
    '--every')
        return
        ;;
    '--limit')
        return
        ;;
    '--for')
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''svg'$'\n''html'$'\n''mermaid'$'\n''dot'
        return
        ;;
    '--width')
        return
        ;;
    '--output'|'-o')
        return
        ;;
    '--budget')
        return
        ;;
    '--memory')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_replay() {
    repeating_flags=()
    non_repeating_flags=(--compare --step --timestamps --no-timestamps --skip-errors --sandbox --no-files --version -h --help)
    repeating_options=(--set --parameters --allow-read)
    non_repeating_options=(--as-test --format --until --from --limit --seed --memory --color)
    __streamrun_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--as-test')
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'ndjson'$'\n''json'$'\n''text'$'\n''csv'$'\n''tsv'$'\n''marbles'
        return
        ;;
    '--until')
        return
        ;;
    '--from')
        return
        ;;
    '--limit')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--memory')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(ndjson)'
        return
        ;;
    2)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_explain() {
    repeating_flags=()
    non_repeating_flags=(--plan --no-files --version -h --help)
    repeating_options=(--set --parameters --allow-read)
    non_repeating_options=(-e --format --seed --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion explain -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_bench() {
    repeating_flags=()
    non_repeating_flags=(--operators --skip-errors --no-files --version -h --help)
    repeating_options=(--input --input-format --set --parameters --allow-read)
    non_repeating_options=(-e --items --csv-delimiter --csv-quote --csv-decimal --csv-types --event-time --unit --lateness --late --max-jump --idle --seed --every --values --rounds --format --budget --memory --color)
    __streamrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion bench -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--input')
        return
        ;;
    '--input-format')
        return
        ;;
    '--items')
        return
        ;;
    '--csv-delimiter')
        return
        ;;
    '--csv-quote')
        return
        ;;
    '--csv-decimal')
        return
        ;;
    '--csv-types')
        return
        ;;
    '--event-time')
        return
        ;;
    '--unit')
        __streamrun_add_completions -W 's'$'\n''ms'$'\n''us'$'\n''ns'
        return
        ;;
    '--lateness')
        return
        ;;
    '--late')
        __streamrun_add_completions -W 'apply'$'\n''drop'$'\n''output'
        return
        ;;
    '--max-jump')
        return
        ;;
    '--idle')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--every')
        return
        ;;
    '--values')
        return
        ;;
    '--rounds')
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--budget')
        return
        ;;
    '--memory')
        return
        ;;
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_state() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __streamrun_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|verify|export|import)
        # Offer subcommand argument completions
        "_streamrun_state_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show verify export import' -- "${cur}"))
        ;;
    esac
}

_streamrun_state_show() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--number --instances --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--number')
        return
        ;;
    '--instances')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -d
        return
        ;;
    esac
}

_streamrun_state_verify() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -d
        return
        ;;
    esac
}

_streamrun_state_export() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--number -o --output --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--number')
        return
        ;;
    '-o'|'--output')
        __streamrun_add_completions -f
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -d
        return
        ;;
    esac
}

_streamrun_state_import() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(-i --input --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-i'|'--input')
        __streamrun_add_completions -f
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -d
        return
        ;;
    esac
}

_streamrun_top() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--interval --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--interval')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -d
        return
        ;;
    esac
}

_streamrun_eval() {
    repeating_flags=()
    non_repeating_flags=(--explain --version -h --help)
    repeating_options=(--set)
    non_repeating_options=(--value --seed --format --max-value --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--value')
        return
        ;;
    '--set')
        return
        ;;
    '--seed')
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--max-value')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_streamrun_import() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--output -o --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--output'|'-o')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_operators() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--format --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'$'\n''markdown'
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -W 'allSatisfy'$'\n''append'$'\n''apply'$'\n''audit'$'\n''average'$'\n''buffer'$'\n''call'$'\n''catch'$'\n''collect'$'\n''collectMap'$'\n''collectTime'$'\n''collectUntil'$'\n''combineLatest'$'\n''combineLatestAll'$'\n''compactMap'$'\n''contains'$'\n''count'$'\n''debounce'$'\n''decode'$'\n''delay'$'\n''delaySubscription'$'\n''delayWhen'$'\n''dematerialize'$'\n''distinct'$'\n''drop'$'\n''dropFor'$'\n''dropLast'$'\n''dropUntil'$'\n''dropWhile'$'\n''empty'$'\n''encode'$'\n''enumerated'$'\n''exhaustMap'$'\n''expand'$'\n''fail'$'\n''failIfEmpty'$'\n''failures'$'\n''file'$'\n''filter'$'\n''findIndex'$'\n''first'$'\n''flatMap'$'\n''forkJoin'$'\n''generate'$'\n''groupBy'$'\n''handleEvents'$'\n''ignoreFailure'$'\n''ignoreOutput'$'\n''iif'$'\n''input'$'\n''intersperse'$'\n''isEmpty'$'\n''join'$'\n''just'$'\n''last'$'\n''map'$'\n''mapError'$'\n''marbles'$'\n''materialize'$'\n''max'$'\n''measureInterval'$'\n''merge'$'\n''mergeOrdered'$'\n''mergeScan'$'\n''min'$'\n''never'$'\n''nwise'$'\n''output'$'\n''prefix'$'\n''prefixFor'$'\n''prefixUntil'$'\n''prefixWhile'$'\n''prepend'$'\n''print'$'\n''race'$'\n''range'$'\n''rateLimit'$'\n''record'$'\n''reduce'$'\n''removeDuplicates'$'\n''repeat'$'\n''repeatElement'$'\n''repeatWhen'$'\n''replaceEmpty'$'\n''replaceError'$'\n''replaceNil'$'\n''retry'$'\n''retryWhen'$'\n''sample'$'\n''scan'$'\n''sequence'$'\n''sequenceEqual'$'\n''share'$'\n''single'$'\n''sort'$'\n''stream'$'\n''sum'$'\n''switchIfEmpty'$'\n''switchMap'$'\n''throttle'$'\n''timeout'$'\n''timer'$'\n''timestamp'$'\n''toLoadingState'$'\n''toResult'$'\n''toggle'$'\n''unwrap'$'\n''validate'$'\n''values'$'\n''window'$'\n''withLatestFrom'$'\n''withPrevious'$'\n''zip'$'\n''zipAll'
        return
        ;;
    esac
}

_streamrun_functions() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--format --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'$'\n''markdown'
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -W 'in'$'\n''all'$'\n''cel.bind'$'\n''exists'$'\n''existsOne'$'\n''exists_one'$'\n''filter'$'\n''fold'$'\n''groupBy'$'\n''has'$'\n''map'$'\n''optFlatMap'$'\n''optMap'$'\n''sortBy'$'\n''transformList'$'\n''transformMap'$'\n''transformMapEntry'$'\n''bool'$'\n''bytes'$'\n''double'$'\n''duration'$'\n''dyn'$'\n''int'$'\n''string'$'\n''timestamp'$'\n''tryDouble'$'\n''tryInt'$'\n''type'$'\n''uint'$'\n''charAt'$'\n''characters'$'\n''contains'$'\n''endsWith'$'\n''format'$'\n''indexOf'$'\n''join'$'\n''lastIndexOf'$'\n''lowerAscii'$'\n''lowercased'$'\n''matches'$'\n''normalize'$'\n''replace'$'\n''reverse'$'\n''split'$'\n''startsWith'$'\n''strings.quote'$'\n''substring'$'\n''trim'$'\n''upperAscii'$'\n''uppercased'$'\n''regex.extract'$'\n''regex.extractAll'$'\n''regex.groups'$'\n''regex.replace'$'\n''average'$'\n''distinct'$'\n''first'$'\n''flatten'$'\n''isSorted'$'\n''keys'$'\n''last'$'\n''lists.range'$'\n''max'$'\n''merge'$'\n''min'$'\n''percentile'$'\n''rename'$'\n''sets.contains'$'\n''sets.equivalent'$'\n''sets.intersects'$'\n''size'$'\n''slice'$'\n''sort'$'\n''sum'$'\n''values'$'\n''without'$'\n''zip'$'\n''atan2'$'\n''clamp'$'\n''math.abs'$'\n''math.acos'$'\n''math.asin'$'\n''math.atan'$'\n''math.atan2'$'\n''math.bitAnd'$'\n''math.bitNot'$'\n''math.bitOr'$'\n''math.bitShiftLeft'$'\n''math.bitShiftRight'$'\n''math.bitXor'$'\n''math.ceil'$'\n''math.cos'$'\n''math.exp'$'\n''math.floor'$'\n''math.greatest'$'\n''math.isFinite'$'\n''math.isInf'$'\n''math.isNaN'$'\n''math.least'$'\n''math.log'$'\n''math.log10'$'\n''math.pi'$'\n''math.pow'$'\n''math.round'$'\n''math.sign'$'\n''math.sin'$'\n''math.sqrt'$'\n''math.tan'$'\n''math.trunc'$'\n''random'$'\n''round'$'\n''getDate'$'\n''getDayOfMonth'$'\n''getDayOfWeek'$'\n''getDayOfYear'$'\n''getFullYear'$'\n''getHours'$'\n''getMilliseconds'$'\n''getMinutes'$'\n''getMonth'$'\n''getSeconds'$'\n''millis'$'\n''now'$'\n''parseTime'$'\n''timestamp.fromMillis'$'\n''hasValue'$'\n''optional.none'$'\n''optional.of'$'\n''optional.ofNonZeroValue'$'\n''optional.unwrap'$'\n''or'$'\n''orValue'$'\n''unwrapOpt'$'\n''value'$'\n''base64.decode'$'\n''base64.encode'$'\n''parseJSON'$'\n''sha256'$'\n''toJSON'$'\n''cidr'$'\n''containsCIDR'$'\n''containsIP'$'\n''family'$'\n''ip'$'\n''ip.isCanonical'$'\n''isCIDR'$'\n''isGlobalUnicast'$'\n''isIP'$'\n''isLinkLocalMulticast'$'\n''isLinkLocalUnicast'$'\n''isLoopback'$'\n''isUnspecified'$'\n''masked'$'\n''prefixLength'
        return
        ;;
    esac
}

_streamrun_schema() {
    repeating_flags=()
    non_repeating_flags=(--list --version -h --help)
    repeating_options=()
    non_repeating_options=(--output -o --write --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--output'|'-o')
        return
        ;;
    '--write')
        __streamrun_add_completions -d
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -W 'stream'$'\n''bench'$'\n''diagnostics'$'\n''diff'$'\n''events'$'\n''explain'$'\n''hash'$'\n''operators'$'\n''patch'$'\n''run'$'\n''test'
        return
        ;;
    esac
}

_streamrun_canonical() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--output -o --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--output'|'-o')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_hash() {
    repeating_flags=()
    non_repeating_flags=(--all --behavior --version -h --help)
    repeating_options=()
    non_repeating_options=(-e --format --color)
    __streamrun_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-e')
        __streamrun_add_completions -W "$(__streamrun_custom_complete ---completion hash -- -e "${COMP_CWORD}" "$(__streamrun_cursor_index_in_current_word)")"
        return
        ;;
    '--format')
        __streamrun_add_completions -W 'text'$'\n''json'
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __streamrun_add_completions -f
        return
        ;;
    esac
}

_streamrun_worker() {
    repeating_flags=()
    non_repeating_flags=(--check --version -h --help)
    repeating_options=(--restore-old --restore-set --set --parameters)
    non_repeating_options=(--seed --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--restore-old')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--restore-set')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_shard() {
    repeating_flags=()
    non_repeating_flags=(--feed --end --numbered --results --drain --skip-errors --version -h --help)
    repeating_options=(--input-format --restore-old --restore-set --set --parameters)
    non_repeating_options=(--redis --shards --name --items --csv-delimiter --csv-quote --csv-decimal --csv-types --own --lease --batch --keep --most --memory --seed --metrics --metrics-every --color)
    __streamrun_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--redis')
        return
        ;;
    '--shards')
        return
        ;;
    '--name')
        return
        ;;
    '--input-format')
        return
        ;;
    '--items')
        return
        ;;
    '--csv-delimiter')
        return
        ;;
    '--csv-quote')
        return
        ;;
    '--csv-decimal')
        return
        ;;
    '--csv-types')
        return
        ;;
    '--own')
        return
        ;;
    '--lease')
        return
        ;;
    '--batch')
        return
        ;;
    '--keep')
        return
        ;;
    '--most')
        return
        ;;
    '--memory')
        return
        ;;
    '--restore-old')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--restore-set')
        return
        ;;
    '--set')
        return
        ;;
    '--parameters')
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--seed')
        return
        ;;
    '--metrics')
        __streamrun_add_completions -f
        return
        ;;
    '--metrics-every')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __streamrun_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_streamrun_lsp() {
    repeating_flags=()
    non_repeating_flags=(--stdio --no-files --version -h --help)
    repeating_options=(--allow-read)
    non_repeating_options=(--color)
    __streamrun_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--allow-read')
        return
        ;;
    '--color')
        __streamrun_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_streamrun_studio() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __streamrun_offer_flags_options -1
}

_streamrun_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __streamrun_offer_flags_options -1
}

complete -o filenames -F _streamrun streamrun
