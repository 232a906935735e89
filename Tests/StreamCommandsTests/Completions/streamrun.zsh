#compdef streamrun

__streamrun_complete() {
    local -ar non_empty_completions=("${@:#(|:*)}")
    local -ar empty_completions=("${(M)@:#(|:*)}")
    _describe -V '' non_empty_completions -- empty_completions -P $'\'\''
}

__streamrun_custom_complete() {
    local -a completions
    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
    if [[ "${#completions[@]}" -gt 1 ]]; then
        __streamrun_complete "${completions[@]:0:-1}"
    fi
}

__streamrun_cursor_index_in_current_word() {
    if [[ -z "${QIPREFIX}${IPREFIX}${PREFIX}" ]]; then
        printf 0
    else
        printf %s "${#${(z)LBUFFER}[-1]}"
    fi
}

_streamrun() {
    emulate -RL zsh -G
    setopt extendedglob nullglob numericglobsort
    unsetopt aliases banghist

    local -xr SAP_SHELL=zsh
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(builtin emulate zsh -c 'printf %s "${ZSH_VERSION}"')"
    local -r SAP_SHELL_VERSION

    local context state state_descr line
    local -A opt_args

    local -r command_name="${words[1]}"
    local -ar command_line=("${words[@]}")
    local -ir current_word_index="$((CURRENT - 1))"

    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'run:Runs a stream (what streamrun does if nothing else is said).'
            'validate:Checks stream files, and tells all that is wrong with them.'
            'test:Runs the tests that stand in stream files.'
            'format:Sets stream files in their stable form.'
            'edit:Edits a stream file; all that is not edited stays byte for byte as it is.'
            'diff:Shows what differs between two stream files, and what that means.'
            'patch:Changes a stream file as a patch says.'
            'merge:Brings two versions of a stream file together that came out of one.'
            'resolve:Resolves the conflicts that a merge has marked in a stream file.'
            'show:Shows a stream as a picture: what happens in a run, or how it is connected.'
            'explain:Tells what each operator of a stream does, keeps and costs, and what runs for it.'
            'bench:Measures how long streams take for a value.'
            'eval:Prints the value of an expression as JSON.'
            'import:Converts files of the Combine playground, of any generation, into stream files.'
            'export:Writes a stream as Swift with Combine, as JavaScript with RxJS, or as a chart of Mermaid.'
            'operators:Lists operators and sources, or tells all about one.'
            'schema:Prints the JSON Schema of stream files, or of what a command prints.'
            'canonical:Prints the canonical form of a file'\''s JSON (RFC 8785).'
            'hash:Prints the ids of files: of what they contain, or of what they do.'
            'lsp:Serves an editor: mistakes, explanations and completion while stream files are written.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        run|validate|test|format|edit|diff|patch|merge|resolve|show|explain|bench|eval|import|export|operators|schema|canonical|hash|lsp|help)
            "_streamrun_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_streamrun_run() {
    local -i ret=1
    local -ar ___format=('ndjson' 'json' 'text' 'csv' 'marbles')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '*--input[Feeds an input from a file of one JSON value a line; - is standard input.]:name=path:'
        '*--set[Gives an input its initial value.]:name=json:'
        '--format[How values are printed\: ndjson, json, text, csv or marbles.]:format:{__streamrun_complete "${___format[@]}"}'
        '--timestamps[Tells the time of each value\: {"at"\: seconds since the start, "value"\: …}.]'
        '--virtual[Virtual time\: timers are not waited for. The calendar begins in 1970.]'
        '--event-time[The data'\''s own clock\: an expression over '\''value'\'' that gives a timestamp, or milliseconds since 1970.]:expression:'
        '--speed[How much faster time goes, such as 10x.]:factor:'
        '--limit[Stops after so many values.]:count:'
        '--for[Stops after so much time of the stream.]:seconds:'
        '--skip-errors[Leaves out lines that are no JSON, and values that an operator fails at.]'
        '--threads[How many threads are used\: 1, or 2 (the second one reads ahead). Default 2 where that pays.]:count:'
        '--watch[Watches the file, and those that it names\: when they change, the running stream becomes the new one and keeps what still fits. Starts anew after the end.]'
        '--memory[The most memory that the program may take before the run fails.]:size:'
        '--max-value[The longest text of a value that is printed; a longer one is an error.]:size:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_validate() {
    local -i ret=1
    local -ar ___format=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files'
        '--format[How what is wrong is printed\: text, or json (an array on standard output).]:format:{__streamrun_complete "${___format[@]}"}'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_test() {
    local -i ret=1
    local -ar ___format=('text' 'json' 'junit' 'tap')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files'
        '(--verbose -v)'{--verbose,-v}'[Prints the tests that pass, too.]'
        '--filter[Runs only the tests whose name contains this.]:text:'
        '--format[How the outcome is printed\: text, json, junit (XML) or tap (TAP 14).]:format:{__streamrun_complete "${___format[@]}"}'
        '--update[Writes what came into the files, in place of expectations that fail; look at what changed.]'
        '--coverage[Tells which operators, and which sides of ?\:, && and ||, no test exercises.]'
        '--coverage-below[Fails where less of a hundred is covered.]:percentage:'
        '(--jobs -j)'{--jobs,-j}'[Files that are tested at once. (default\: as many as there are cores)]:jobs:'
        '--budget[How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[The most memory that the program may take before the run fails.]:size:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_format() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files'
        '(--output -o)'{--output,-o}'[Writes the one file there.]:path:'
        '(--in-place -i)'{--in-place,-i}'[Writes each file where it is.]'
        '--check[Writes nothing; names the files that would change, and ends with 1 if there are any.]'
        '--add-ids[Gives operators that keep state an id, so that it is found again when the file has changed.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_edit() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '*--set[Puts a value where a JSON pointer leads; /operators/- adds to a list.]:pointer=json:'
        '*--remove[Removes what a JSON pointer leads to.]:pointer:'
        '*--append-item[Adds an item at the end of the stream.]:json:'
        '*--insert-item[Adds an item in front of item --at.]:json:'
        '*--remove-item[Removes an item.]:n:'
        '*--add-operator[Adds an operator at the end, or in front of operator --at.]:json:'
        '*--remove-operator[Removes an operator.]:n-or-id:'
        '*--move-operator[Takes an operator to where it has this number afterwards.]:n-or-id\:n:'
        '*--rename[Gives the stream a name.]:name:'
        '*--set-input[Gives an input its initial value.]:name=json:'
        '*--delay[Seconds before the value of the item whose option stands before.]:seconds:'
        '*--at[The place, from 0, for the item or operator whose option stands before.]:n:'
        '--dry-run[Writes nothing; prints what would change, as a unified diff.]'
        '(--output -o)'{--output,-o}'[Writes the outcome there.]:path:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_diff() {
    local -i ret=1
    local -ar ___format=('text' 'json' 'patch' 'merge-patch')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files'
        '--format[How differences are printed\: text, json, patch (RFC 6902) or merge-patch (RFC 7396).]:format:{__streamrun_complete "${___format[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Prints nothing; the exit code tells.]'
        '--behavior[Runs both versions in virtual time, on the tests of both files or on --input, and compares what they say.]'
        '*--input[Feeds an input of both versions from a file of one JSON value a line, with --behavior.]:name=path:'
        '--event-time[The data'\''s own clock\: an expression over '\''value'\'' that gives a timestamp, or milliseconds since 1970.]:expression:'
        '--limit[Compares no more values than these of a run on --input.]:count:'
        '--for[Runs on --input no longer than this.]:seconds:'
        '--budget[How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[The most memory that the program may take before the run fails.]:size:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_patch() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        ':patch:_files -g '\''*.json'\'''
        '(--output -o)'{--output,-o}'[Writes the file there.]:path:'
        '(--in-place -i)'{--in-place,-i}'[Writes the file in the place of the one that it was made of.]'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_merge() {
    local -i ret=1
    local -ar ___favor=('ours' 'theirs')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':base:_files'
        ':ours:_files'
        ':theirs:_files'
        '--favor[Whose change counts where both are in conflict\: ours or theirs.]:favor:{__streamrun_complete "${___favor[@]}"}'
        '--path[Where the file belongs if OURS is a copy of it, as git makes them\: paths in it begin there.]:path:'
        '(--output -o)'{--output,-o}'[Writes the file there.]:path:'
        '(--in-place -i)'{--in-place,-i}'[Writes the file in the place of the one that it was made of.]'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_resolve() {
    local -i ret=1
    local -ar ___favor=('ours' 'theirs')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        ':pointer:'
        '--favor[Whose version is taken\: ours or theirs. (default\: what stands in the file)]:favor:{__streamrun_complete "${___favor[@]}"}'
        '(--output -o)'{--output,-o}'[Writes the outcome there.]:path:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_show() {
    local -i ret=1
    local -ar ___format=('text' 'svg' 'mermaid' 'dot')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '--graph[Shows how streams, inputs and operators are connected, in place of a run.]'
        '--stages[Gives every source and operator a line of its own.]'
        '--test[The test of the file whose run is shown. Default the first.]:name:'
        '*--input[Feeds an input from a file of one JSON value a line; - is standard input.]:name=path:'
        '--event-time[The data'\''s own clock\: an expression over '\''value'\'' that gives a timestamp, or milliseconds since 1970.]:expression:'
        '--every[Without --event-time, from one value of --input to the next. Default 1.]:seconds:'
        '--limit[Shows no more values than these on a line.]:count:'
        '--for[Shows so much time of the stream.]:seconds:'
        '--format[How it is shown\: text or svg, of a graph also mermaid or dot. Default text, or what --output ends in.]:format:{__streamrun_complete "${___format[@]}"}'
        '--width[Columns of the text.]:count:'
        '--ascii[Draws with ASCII alone.]'
        '(--output -o)'{--output,-o}'[Writes the picture there\: .svg, .mmd, .dot or .txt.]:path:'
        '--budget[How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[The most memory that the program may take before the run fails.]:size:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_explain() {
    local -i ret=1
    local -ar ___format=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '--plan[Lists the instructions of programs, too.]'
        '--format[How it is printed\: text or json.]:format:{__streamrun_complete "${___format[@]}"}'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_bench() {
    local -i ret=1
    local -ar ___format=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:files:_files -g '\''*.json'\'''
        '*--input[Feeds an input from a file of one JSON value a line; - is standard input. Without it the values of the files'\'' own tests are fed.]:name=path:'
        '*--set[Gives an input its initial value.]:name=json:'
        '--event-time[The data'\''s own clock\: an expression over '\''value'\'' that gives a timestamp, or milliseconds since 1970.]:expression:'
        '--every[Without --event-time, virtual time from one value of --input to the next. Default 0.001.]:seconds:'
        '--values[How many values a run takes; shorter recordings begin again and again.]:count:'
        '--rounds[How often each file is measured, by turns.]:count:'
        '--operators[Measures each stream up to each of its operators, too.]'
        '--skip-errors[Leaves out lines that are no JSON, and values that an operator fails at.]'
        '--format[How it is printed\: text or json.]:format:{__streamrun_complete "${___format[@]}"}'
        '--budget[How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[The most memory that the program may take before the run fails.]:size:'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_eval() {
    local -i ret=1
    local -ar ___format=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':expression:'
        '--value[What '\''value'\'' is.]:json:'
        '*--set[What another name is.]:name=json:'
        '--format[How the value is printed\: json, or text (a string as it is).]:format:{__streamrun_complete "${___format[@]}"}'
        '--explain[Tell the value, its type, what it costs, and what became of each part of the expression.]'
        '--max-value[The longest text of a value that is printed; a longer one is an error.]:size:'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_import() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '(--output -o)'{--output,-o}'[A file, or a directory for a file of each stream.]:path:'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_export() {
    local -i ret=1
    local -ar ___to=('swift' 'rxjs' 'mermaid')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '--to[What is written\: swift, rxjs or mermaid. Required, but for --list.]:to:{__streamrun_complete "${___to[@]}"}'
        '(--output -o)'{--output,-o}'[Writes the code there.]:path:'
        '--list[Lists the sources and operators that can be exported.]'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_operators() {
    local -i ret=1
    local -ar ___format=('text' 'json' 'markdown')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':name:'
        '--format[How they are printed\: text, json or markdown.]:format:{__streamrun_complete "${___format[@]}"}'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_schema() {
    local -i ret=1
    local -ar _name=('stream' 'bench' 'diagnostics' 'diff' 'events' 'explain' 'hash' 'operators' 'patch' 'run' 'test')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':name:{__streamrun_complete "${_name[@]}"}'
        '--list[Prints the names of the schemas, and what they are of.]'
        '(--output -o)'{--output,-o}'[Writes the schema there.]:path:'
        '--write[Writes all schemas into a directory.]:directory:_files -/'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_canonical() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '(--output -o)'{--output,-o}'[Writes the file there.]:path:'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_hash() {
    local -i ret=1
    local -ar ___format=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files'
        '--behavior[The id of what the stream does.]'
        '--format[How the ids are printed\: text, or json (an array).]:format:{__streamrun_complete "${___format[@]}"}'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_lsp() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '--stdio[Some editors add it; standard input and output are used anyhow.]'
        '*--allow-read[Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.]:path:'
        '--no-files[Lets stream files name no files at all.]'
        '--color[Colors of messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_help() {
    local -i ret=1
    local -ar arg_specs=(
        '*:subcommands:'
        '--version[Show the version.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

if [[ "${funcstack[1]}" = _streamrun ]]; then
    _streamrun "${@}"
else
    compdef _streamrun streamrun
fi
