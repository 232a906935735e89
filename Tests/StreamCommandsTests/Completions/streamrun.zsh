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

    if [[ "${CURRENT}" -gt 2 && "${words[2]}" = -* && "${words[2]}" != (--version|-h|--help) ]]; then
        _streamrun_run
        return
    fi
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
            'run:Runs a stream. This is the default subcommand.'
            'validate:Checks stream files and reports all errors.'
            'test:Runs the tests in stream files.'
            'format:Formats stream files.'
            'edit:Edits a stream file and keeps everything else byte for byte.'
            'diff:Shows the semantic differences between two stream files.'
            'patch:Applies a patch to a stream file.'
            'merge:Merges two versions of a stream file with a common base.'
            'resolve:Resolves the conflicts that a merge has marked in a stream file.'
            'show:Draws a stream as a marble diagram of a run, or as a graph.'
            'replay:Repeats a recorded run, with the recorded version of the stream or another one.'
            'explain:Explains the operators of a stream, their state and cost, and the compiled plan.'
            'bench:Measures how long streams take per value.'
            'state:Shows, checks, exports and imports the saved state of a run.'
            'top:Shows rates, queues, timers, lag and memory of a running stream.'
            'eval:Prints the value of an expression as JSON.'
            'import:Converts files of the Combine playground, of any generation, to stream files.'
            'operators:Lists operators and sources, or describes one of them.'
            'functions:Lists the functions of expressions, or describes one of them.'
            'schema:Prints the JSON Schema of stream files, or of a command'\''s output.'
            'canonical:Prints the canonical form of a file'\''s JSON (RFC 8785).'
            'hash:Prints hashes of the content or the behavior of stream files.'
            'worker:Runs the keys of a partitioned stream for an engine such as Flink.'
            'shard:Runs a partitioned stream on several machines that share a Redis.'
            'lsp:Runs a language server with diagnostics, explanations and completion for stream files.'
            'studio:Opens the studio: shows, edits, tries and steps streams in a browser.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        run|validate|test|format|edit|diff|patch|merge|resolve|show|replay|explain|bench|state|top|eval|import|operators|functions|schema|canonical|hash|worker|shard|lsp|studio|help)
            "_streamrun_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_streamrun_run() {
    local -i ret=1
    local -ar ___unit=('s' 'ms' 'us' 'ns')
    local -ar ___late=('apply' 'drop' 'output')
    local -ar ___format=('ndjson' 'json' 'text' 'csv' 'tsv' 'marbles')
    local -ar ___state_mismatch=('keep' 'reset' 'refuse')
    local -ar ___log=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':path:_files -g '\''*.json'\'''
        '-e[Takes a stream in its short form instead of a file, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion run -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '*--input[Feeds an input from a file; - is standard input. The only input needs no name. The file'\''s extension tells its format\: .ndjson, .jsonl, .json, .csv, .tsv, .tab, .txt, .log or .text; else it has JSON values, one per line or over several. Files compressed with gzip, zstd or xz are decompressed\: x.csv.gz is a table. A pattern in quotes, such as --input '\''logs/*.ndjson'\'', is all files that it matches, one after another.]:\[name=\]path:'
        '*--input-format[Format of all files that feed inputs, and of standard input, or of those of one input, as in --input-format orders=csv\: ndjson, json, csv, tsv or text. With ndjson, each line is one value, also if it is the only one.]:\[name=\]format:'
        '--items[Place of the values in each JSON text, such as --items /results\: the elements of the array there, or the value there.]:pointer:'
        '--csv-delimiter[Character between the fields of a table, such as --csv-delimiter '\'';'\'' or --csv-delimiter tab. Default\: a comma, or the semicolon, tab or vertical bar that the first two rows show.]:character:'
        '--csv-quote[Character around the fields of a table that contain delimiters or line breaks, such as --csv-quote "'\''"; none for no such character. Default\: a double quotation mark.]:character:'
        '--csv-decimal[Character before the decimals of a table'\''s numbers, such as --csv-decimal '\'','\''. Default\: a point or, if commas do not separate the fields, either.]:character:'
        '--csv-types[Types of a table'\''s columns, such as --csv-types '\''ms\:int,price\:double?'\'', for inputs without a type\: all fields are strings otherwise, so that "9" is greater than "100". With a question mark, an empty field is null. infer takes what is written as a number or a Boolean for one, and an empty field for null.]:types:'
        '--event-time[Event time\: an expression over '\''value'\'' that returns a timestamp, or a number of milliseconds since 1970. The stream runs by these times, as with "time" at its inputs. Example\: --event-time value.time]:expression:'
        '--unit[Unit of event times that are numbers\: s, ms, us or ns. Default ms, or what the file says.]:unit:{__streamrun_complete "${___unit[@]}"}'
        '--lateness[Seconds by which values may be out of order\: they are held that long, and delivered in the order of their times.]:seconds:'
        '--late[Effect of values that are later still\: apply (at the earliest time that is possible), drop, or output (see --late-output).]:effect:{__streamrun_complete "${___late[@]}"}'
        '--max-jump[Seconds by which a value may be ahead of the newest one; a value further ahead is invalid.]:seconds:'
        '--idle[Seconds without values after which time passes by the clock of the machine\: for live input, whose alerts of silence are due before the next value.]:seconds:'
        '--follow[Follows the files of --input as '\''tail -F'\'' does\: their present end is not the end, and files that are rotated or truncated are read on. With --input '\''logs/*.ndjson'\'', new files join.]'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '*--output[Appends the output to a file, such as --output out.csv or, of a stream with several outputs, --output alerts=alerts.ndjson; - is standard output, and '\''|COMMAND'\'' a program that reads the values. The file'\''s extension tells its format.]:\[name=\]path:_files'
        '--append[Appends to the output files that exist, which is the default, without a note; or replaces their content. A run that continues from a saved state always appends.]'
        '--overwrite[Appends to the output files that exist, which is the default, without a note; or replaces their content. A run that continues from a saved state always appends.]'
        '--format[Format of all outputs\: ndjson, json, text, csv, tsv or marbles. Default\: the format of a file'\''s extension, or else ndjson.]:format:{__streamrun_complete "${___format[@]}"}'
        '*--output-format[Format of one of several outputs, such as --output-format alerts=csv.]:name=format:'
        '--columns[Columns of csv and tsv, such as --columns time,price; other members are left out. Default\: the members of the first 100 values.]:names:'
        '--rotate[Renames each output file once it has this size, or at the beginning of each period, such as --rotate 100MB or --rotate 1h\: out.ndjson becomes out-20260131T180000Z.ndjson.]:size or time:'
        '--late-output[Appends the values that arrive too late to this file, for a partition with "late"\: "output".]:file:_files'
        '--timestamps[Prints each value with its time\: {"at"\: seconds since the start, "value"\: …}.]'
        '--virtual[Runs in virtual time, without waiting for timers. The calendar begins in 1970.]'
        '--speed[Speed of time, such as 10x.]:factor:'
        '--limit[Stops after this number of values.]:count:'
        '--for[Stops after this much stream time.]:seconds:'
        '--skip-errors[Skips lines that are not JSON, and values that make an operator fail.]'
        '--threads[Number of threads\: 1, or 2 (the second one reads ahead). Default 2 if that is faster.]:count:'
        '--state[Keeps the state of the run in this folder, and continues from it\: --state /var/lib/orders.]:dir:_files -/'
        '--every[How often the state is saved\: a time such as 500ms, 5s or 1m, or a number of values. Default 5s.]:interval:'
        '--state-mismatch[If the stream file is not the one whose state was saved\: keep continues with its state as far as possible, reset begins again, refuse ends. Default keep.]:choice:{__streamrun_complete "${___state_mismatch[@]}"}'
        '--refeed[Standard input, if it is a pipe, brings everything again from the start\: skips what the state has read.]'
        '*--call[Uses a program or an address to answer the calls of a function\: --call geo='\''python3 -u geo.py'\'', --call geo=https\://example.com/geo. A program reads one request per line, {"id", "argument"}, and prints one reply per line, {"id", "value"} or {"id", "failure"}, in any order. To an address, curl posts the argument as JSON; the response is the value.]:name=command:'
        '*--call-header[Adds a line to the header of each request to an address\: --call-header geo='\''Authorization\: Bearer TOKEN'\''. With geo=@FILE, the lines of a file.]:name=line:'
        '--call-limit[Maximum number of calls of a function that are asked at the same time.]:count:'
        '--call-timeout[Longest wait for an answer; the call fails after it. Default 30 for an address, no limit for a program.]:seconds:'
        '*--tap[Prints the values that operators publish, on standard error\: identifiers or locations of operators, separated by commas, or '\''*'\'' for all, as in --tap total,/operators/0.]:id,…:'
        '--tap-to[Appends these values to a file instead, as in --tap-to seen.ndjson.]:file:_files'
        '--metrics[Rewrites a file of metrics for Prometheus, as in --metrics /var/lib/node_exporter/tilt.prom.]:file:_files'
        '--metrics-every[Time between two writes of the metrics. Default 5.]:seconds:'
        '--socket[Listens at a socket in this directory, so that '\''streamrun top DIR'\'' shows the run, as in --socket run.]:dir:_files -/'
        '--log[Format of messages on standard error\: text, or json with an object on each line, as in --log json.]:log:{__streamrun_complete "${___log[@]}"}'
        '--record[Writes everything that comes from outside to this file, from which '\''streamrun replay'\'' repeats the run.]:file:_files -g '\''*.ndjson'\'''
        '--memory[Maximum memory of the program; the run fails beyond it.]:size:'
        '--time-per-value[Maximum processor time for one event from outside, such as 10ms, 500us or 1s; the run fails beyond it, and names the operator that works longest.]:time:'
        '--sandbox[Lets the stream refer to no file but those that the command line names, such as with --allow-read rates.csv. The stream starts no program and asks no address in any case, but those of this command line.]'
        '--max-value[Maximum length of a printed value; a longer one is an error.]:size:'
        '--watch[Watches the file and the stream files it refers to, but no files of data. When they change, the running stream continues as the new version and keeps its state as far as possible. A completed stream is restarted.]'
        '--print-model[Prints the stream as a JSON file instead of running it\: the long form of -e.]'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '-e[Takes a stream in its short form instead of files, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion validate -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '--all[Takes all *.json files of directories, also those that have no member of a stream file.]'
        '--format[Format of the errors\: text, or json (an array on standard output).]:format:{__streamrun_complete "${___format[@]}"}'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '--all[Takes all *.json files of directories, also those that have no member of a stream file.]'
        '(--verbose -v)'{--verbose,-v}'[Also prints the tests that pass.]'
        '--filter[Runs only the tests whose name contains this.]:text:'
        '--format[Output format\: text, json, junit (XML) or tap (TAP 14).]:format:{__streamrun_complete "${___format[@]}"}'
        '--update[Replaces failing expectations in the files with the actual output; review the changes.]'
        '--coverage[Reports operators and branches of ?\:, && and || that no test exercises.]'
        '--coverage-below[Fails if less than this percentage is covered.]:percentage:'
        '(--jobs -j)'{--jobs,-j}'[Number of files tested at once. (default\: the number of cores)]:jobs:'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '--budget[Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[Maximum memory of the program; the run fails beyond it.]:size:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '-e[Takes a stream in its short form instead of files, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion format -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '--all[Takes all *.json files of directories, also those that have no member of a stream file.]'
        '(--output -o)'{--output,-o}'[Writes the formatted file here; for a single file.]:path:'
        '(--in-place -i)'{--in-place,-i}'[Writes each file in place.]'
        '--check[Writes nothing; lists the files that would change, and exits with 1 if there are any.]'
        '--add-ids[Gives an id to operators with state, so that they keep it when the file changes.]'
        '--short[Prints the short form of each stream, a one-liner for -e; fails for a stream that has none.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '*--set[Sets the value at a JSON pointer; /operators/- appends to an array.]:pointer=json:'
        '*--remove[Removes the value at a JSON pointer.]:pointer:'
        '*--append-item[Appends an item to the stream.]:json:'
        '*--insert-item[Inserts an item before item --at.]:json:'
        '*--remove-item[Removes an item.]:n:'
        '*--add-operator[Adds an operator at the end, or before operator --at.]:json:'
        '*--remove-operator[Removes an operator.]:n-or-id:'
        '*--move-operator[Moves an operator to the number it has after the edit.]:n-or-id\:n:'
        '*--rename[Sets the name of the stream.]:name:'
        '*--set-input[Sets the initial value of an input.]:name=json:'
        '*--delay[Delay in seconds for the item of the preceding option.]:seconds:'
        '*--at[Position, from 0, for the item or operator of the preceding option.]:n:'
        '--dry-run[Writes nothing; prints the changes as a unified diff.]'
        '(--output -o)'{--output,-o}'[Writes the result to this file.]:path:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_diff() {
    local -i ret=1
    local -ar ___format=('text' 'json' 'patch' 'merge-patch')
    local -ar ___unit=('s' 'ms' 'us' 'ns')
    local -ar ___late=('apply' 'drop' 'output')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files'
        '-e[Takes a stream in its short form as the new version, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion diff -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '--format[Output format\: text, json, patch (RFC 6902) or merge-patch (RFC 7396).]:format:{__streamrun_complete "${___format[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Prints nothing and only sets the exit code.]'
        '--behavior[Runs both versions in virtual time, on the tests of both files or on --input, and compares their output.]'
        '*--input[Feeds an input from a file; - is standard input. The only input needs no name. The file'\''s extension tells its format\: .ndjson, .jsonl, .json, .csv, .tsv, .tab, .txt, .log or .text; else it has JSON values, one per line or over several. Files compressed with gzip, zstd or xz are decompressed\: x.csv.gz is a table. A pattern in quotes, such as --input '\''logs/*.ndjson'\'', is all files that it matches, one after another.]:\[name=\]path:'
        '*--input-format[Format of all files that feed inputs, and of standard input, or of those of one input, as in --input-format orders=csv\: ndjson, json, csv, tsv or text. With ndjson, each line is one value, also if it is the only one.]:\[name=\]format:'
        '--items[Place of the values in each JSON text, such as --items /results\: the elements of the array there, or the value there.]:pointer:'
        '--csv-delimiter[Character between the fields of a table, such as --csv-delimiter '\'';'\'' or --csv-delimiter tab. Default\: a comma, or the semicolon, tab or vertical bar that the first two rows show.]:character:'
        '--csv-quote[Character around the fields of a table that contain delimiters or line breaks, such as --csv-quote "'\''"; none for no such character. Default\: a double quotation mark.]:character:'
        '--csv-decimal[Character before the decimals of a table'\''s numbers, such as --csv-decimal '\'','\''. Default\: a point or, if commas do not separate the fields, either.]:character:'
        '--csv-types[Types of a table'\''s columns, such as --csv-types '\''ms\:int,price\:double?'\'', for inputs without a type\: all fields are strings otherwise, so that "9" is greater than "100". With a question mark, an empty field is null. infer takes what is written as a number or a Boolean for one, and an empty field for null.]:types:'
        '--event-time[Event time\: an expression over '\''value'\'' that returns a timestamp, or a number of milliseconds since 1970. The stream runs by these times, as with "time" at its inputs. Example\: --event-time value.time]:expression:'
        '--unit[Unit of event times that are numbers\: s, ms, us or ns. Default ms, or what the file says.]:unit:{__streamrun_complete "${___unit[@]}"}'
        '--lateness[Seconds by which values may be out of order\: they are held that long, and delivered in the order of their times.]:seconds:'
        '--late[Effect of values that are later still\: apply (at the earliest time that is possible), drop, or output (see --late-output).]:effect:{__streamrun_complete "${___late[@]}"}'
        '--max-jump[Seconds by which a value may be ahead of the newest one; a value further ahead is invalid.]:seconds:'
        '--idle[Seconds without values after which time passes by the clock of the machine\: for live input, whose alerts of silence are due before the next value.]:seconds:'
        '--limit[Maximum number of values compared in a run on --input.]:count:'
        '--for[Maximum stream time of a run on --input.]:seconds:'
        '--budget[Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[Maximum memory of the program; the run fails beyond it.]:size:'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '(--output -o)'{--output,-o}'[Writes the output to this file.]:path:'
        '(--in-place -i)'{--in-place,-i}'[Replaces the input file with the output.]'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '--favor[The side to use in conflicts\: ours or theirs.]:favor:{__streamrun_complete "${___favor[@]}"}'
        '--path[Path of the file if OURS is a temporary copy, as in git; paths in the file are relative to it.]:path:'
        '(--output -o)'{--output,-o}'[Writes the output to this file.]:path:'
        '(--in-place -i)'{--in-place,-i}'[Replaces the input file with the output.]'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '--favor[The side to use\: ours or theirs. (default\: the current contents of the file)]:favor:{__streamrun_complete "${___favor[@]}"}'
        '(--output -o)'{--output,-o}'[Writes the result to this file.]:path:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_show() {
    local -i ret=1
    local -ar ___unit=('s' 'ms' 'us' 'ns')
    local -ar ___late=('apply' 'drop' 'output')
    local -ar ___format=('text' 'svg' 'html' 'mermaid' 'dot')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':path:_files -g '\''*.json'\'''
        '-e[Takes a stream in its short form instead of a file, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion show -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '--graph[Draws the connections of streams, inputs and operators instead of a run.]'
        '--stages[Draws a separate line for every source and operator.]'
        '--test[The test to run. Default the first one in the file.]:name:'
        '*--input[Feeds an input from a file; - is standard input. The only input needs no name. The file'\''s extension tells its format\: .ndjson, .jsonl, .json, .csv, .tsv, .tab, .txt, .log or .text; else it has JSON values, one per line or over several. Files compressed with gzip, zstd or xz are decompressed\: x.csv.gz is a table. A pattern in quotes, such as --input '\''logs/*.ndjson'\'', is all files that it matches, one after another.]:\[name=\]path:'
        '*--input-format[Format of all files that feed inputs, and of standard input, or of those of one input, as in --input-format orders=csv\: ndjson, json, csv, tsv or text. With ndjson, each line is one value, also if it is the only one.]:\[name=\]format:'
        '--items[Place of the values in each JSON text, such as --items /results\: the elements of the array there, or the value there.]:pointer:'
        '--csv-delimiter[Character between the fields of a table, such as --csv-delimiter '\'';'\'' or --csv-delimiter tab. Default\: a comma, or the semicolon, tab or vertical bar that the first two rows show.]:character:'
        '--csv-quote[Character around the fields of a table that contain delimiters or line breaks, such as --csv-quote "'\''"; none for no such character. Default\: a double quotation mark.]:character:'
        '--csv-decimal[Character before the decimals of a table'\''s numbers, such as --csv-decimal '\'','\''. Default\: a point or, if commas do not separate the fields, either.]:character:'
        '--csv-types[Types of a table'\''s columns, such as --csv-types '\''ms\:int,price\:double?'\'', for inputs without a type\: all fields are strings otherwise, so that "9" is greater than "100". With a question mark, an empty field is null. infer takes what is written as a number or a Boolean for one, and an empty field for null.]:types:'
        '--event-time[Event time\: an expression over '\''value'\'' that returns a timestamp, or a number of milliseconds since 1970. The stream runs by these times, as with "time" at its inputs. Example\: --event-time value.time]:expression:'
        '--unit[Unit of event times that are numbers\: s, ms, us or ns. Default ms, or what the file says.]:unit:{__streamrun_complete "${___unit[@]}"}'
        '--lateness[Seconds by which values may be out of order\: they are held that long, and delivered in the order of their times.]:seconds:'
        '--late[Effect of values that are later still\: apply (at the earliest time that is possible), drop, or output (see --late-output).]:effect:{__streamrun_complete "${___late[@]}"}'
        '--max-jump[Seconds by which a value may be ahead of the newest one; a value further ahead is invalid.]:seconds:'
        '--idle[Seconds without values after which time passes by the clock of the machine\: for live input, whose alerts of silence are due before the next value.]:seconds:'
        '--every[Without --event-time, virtual time between two values of --input. Default 1.]:seconds:'
        '--limit[Maximum number of values on a line.]:count:'
        '--for[Maximum stream time to draw.]:seconds:'
        '--format[Output format\: text, svg, for a run html, a page that can be scrubbed and needs no server, for a graph mermaid or dot. Default text, or the extension of --output.]:format:{__streamrun_complete "${___format[@]}"}'
        '--width[Width of the text in columns.]:count:'
        '--ascii[Draws with ASCII characters only.]'
        '(--output -o)'{--output,-o}'[Writes the picture to this file\: .svg, .html, .mmd, .dot or .txt.]:path:'
        '--budget[Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[Maximum memory of the program; the run fails beyond it.]:size:'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_replay() {
    local -i ret=1
    local -ar ___format=('ndjson' 'json' 'text' 'csv' 'tsv' 'marbles')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':recording:_files -g '\''*.ndjson'\'''
        ':file:_files -g '\''*.json'\'''
        '--compare[Prints how the outputs of both versions differ. Without a stream file, the recorded file as it is now, if it is in the directory of the recording.]'
        '--step[Goes through the events one by one\: n next, b back, o ID to the next output of an operator, g N to event N, e to the end, q quit. On a terminal these are keys; the arrow keys are n and b, and o and g ask for the rest. Elsewhere they are lines of standard input. Shows each event, its output, and the latest value and the state of each operator.]'
        '--as-test[Adds the recording to the stream file as a test of this name. Without a stream file, to the recorded file, if it is beside the recording.]:name:'
        '--format[Output format\: ndjson, json, text, csv or marbles. (default\: that of the recorded run)]:format:{__streamrun_complete "${___format[@]}"}'
        '--timestamps[Prints each value with its time. (default\: as the recorded run did)]'
        '--no-timestamps[Prints each value with its time. (default\: as the recorded run did)]'
        '--until[Stops after this many events (1000), after this much stream time (30s, 5m, 1.5h), or at this calendar time.]:end:'
        '--from[With --as-test, begins after this many events, after this much stream time, or at this calendar time; the test begins at its time zero.]:beginning:'
        '--limit[Stops after this number of values.]:count:'
        '--skip-errors[Skips values that make an operator fail.]'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '--memory[Maximum memory of the program; the run fails beyond it.]:size:'
        '--sandbox[Lets the stream refer to no file but those that the command line names, such as with --allow-read rates.csv. The stream starts no program and asks no address in any case, but those of this command line.]'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        ':path:_files -g '\''*.json'\'''
        '-e[Takes a stream in its short form instead of a file, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion explain -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '--plan[Also lists the instructions of programs.]'
        '--format[Output format\: text or json.]:format:{__streamrun_complete "${___format[@]}"}'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_bench() {
    local -i ret=1
    local -ar ___unit=('s' 'ms' 'us' 'ns')
    local -ar ___late=('apply' 'drop' 'output')
    local -ar ___format=('text' 'json')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        '*:paths:_files -g '\''*.json'\'''
        '-e[Adds a stream in its short form, such as '\''filter(value > 1) | count()'\'', to the files.]:one-liner:{__streamrun_custom_complete ---completion bench -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '*--input[Feeds an input from a file; - is standard input. The only input needs no name. The file'\''s extension tells its format\: .ndjson, .jsonl, .json, .csv, .tsv, .tab, .txt, .log or .text; else it has JSON values, one per line or over several. Files compressed with gzip, zstd or xz are decompressed\: x.csv.gz is a table. A pattern in quotes, such as --input '\''logs/*.ndjson'\'', is all files that it matches, one after another.]:\[name=\]path:'
        '*--input-format[Format of all files that feed inputs, and of standard input, or of those of one input, as in --input-format orders=csv\: ndjson, json, csv, tsv or text. With ndjson, each line is one value, also if it is the only one.]:\[name=\]format:'
        '--items[Place of the values in each JSON text, such as --items /results\: the elements of the array there, or the value there.]:pointer:'
        '--csv-delimiter[Character between the fields of a table, such as --csv-delimiter '\'';'\'' or --csv-delimiter tab. Default\: a comma, or the semicolon, tab or vertical bar that the first two rows show.]:character:'
        '--csv-quote[Character around the fields of a table that contain delimiters or line breaks, such as --csv-quote "'\''"; none for no such character. Default\: a double quotation mark.]:character:'
        '--csv-decimal[Character before the decimals of a table'\''s numbers, such as --csv-decimal '\'','\''. Default\: a point or, if commas do not separate the fields, either.]:character:'
        '--csv-types[Types of a table'\''s columns, such as --csv-types '\''ms\:int,price\:double?'\'', for inputs without a type\: all fields are strings otherwise, so that "9" is greater than "100". With a question mark, an empty field is null. infer takes what is written as a number or a Boolean for one, and an empty field for null.]:types:'
        '--event-time[Event time\: an expression over '\''value'\'' that returns a timestamp, or a number of milliseconds since 1970. The stream runs by these times, as with "time" at its inputs. Example\: --event-time value.time]:expression:'
        '--unit[Unit of event times that are numbers\: s, ms, us or ns. Default ms, or what the file says.]:unit:{__streamrun_complete "${___unit[@]}"}'
        '--lateness[Seconds by which values may be out of order\: they are held that long, and delivered in the order of their times.]:seconds:'
        '--late[Effect of values that are later still\: apply (at the earliest time that is possible), drop, or output (see --late-output).]:effect:{__streamrun_complete "${___late[@]}"}'
        '--max-jump[Seconds by which a value may be ahead of the newest one; a value further ahead is invalid.]:seconds:'
        '--idle[Seconds without values after which time passes by the clock of the machine\: for live input, whose alerts of silence are due before the next value.]:seconds:'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '--every[Without --event-time, virtual time between two values of --input. Default 0.001.]:seconds:'
        '--values[Number of values per run; a shorter recording is repeated.]:count:'
        '--rounds[Number of rounds; each round measures every file.]:count:'
        '--operators[Also measures each stream up to each of its operators.]'
        '--skip-errors[Skips lines that are not JSON, and values that make an operator fail.]'
        '--format[Output format\: text or json.]:format:{__streamrun_complete "${___format[@]}"}'
        '--budget[Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.]:steps:'
        '--memory[Maximum memory of the program; the run fails beyond it.]:size:'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_state() {
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
            'show:Prints what a saved state holds, as JSON.'
            'verify:Checks that the states in a folder are whole, and that their streams are valid.'
            'export:Writes a saved state as one JSON text.'
            'import:Makes an exported state the newest one of a folder.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        show|verify|export|import)
            "_streamrun_state_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_streamrun_state_show() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':folder:_files -/'
        '--number[The number of the state; default the newest.]:number:'
        '--instances[Maximum number of instances of an operator whose states are shown.]:instances:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_state_verify() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':folder:_files -/'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_state_export() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':folder:_files -/'
        '--number[The number of the state; default the newest.]:number:'
        '(-o --output)'{-o,--output}'[The file to write. Default standard output.]:output:_files'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_state_import() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':folder:_files -/'
        '(-i --input)'{-i,--input}'[The file to read. Default standard input.]:input:_files'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_top() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':directory:_files -/'
        '--json[Prints one report as JSON.]'
        '--interval[Time over which rates are measured.]:seconds:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '--value[The value of '\''value'\''.]:json:'
        '*--set[The value of another variable.]:name=json:'
        '--seed[Seed of random(). Its numbers differ by the variable '\''index'\''.]:integer:'
        '--format[Output format\: json, or text (prints a string as it is).]:format:{__streamrun_complete "${___format[@]}"}'
        '--explain[Prints the value, its type, its cost, and the plan of each part of the expression.]'
        '--max-value[Maximum length of a printed value; a longer one is an error.]:size:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '(--output -o)'{--output,-o}'[The output file, or a directory for one file per stream.]:path:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_operators() {
    local -i ret=1
    local -ar _name=('allSatisfy' 'append' 'apply' 'audit' 'average' 'buffer' 'call' 'catch' 'collect' 'collectMap' 'collectTime' 'collectUntil' 'combineLatest' 'combineLatestAll' 'compactMap' 'contains' 'count' 'debounce' 'decode' 'delay' 'delaySubscription' 'delayWhen' 'dematerialize' 'distinct' 'drop' 'dropFor' 'dropLast' 'dropUntil' 'dropWhile' 'empty' 'encode' 'enumerated' 'exhaustMap' 'expand' 'fail' 'failIfEmpty' 'failures' 'file' 'filter' 'findIndex' 'first' 'flatMap' 'forkJoin' 'generate' 'groupBy' 'handleEvents' 'ignoreFailure' 'ignoreOutput' 'iif' 'input' 'intersperse' 'isEmpty' 'join' 'just' 'last' 'map' 'mapError' 'marbles' 'materialize' 'max' 'measureInterval' 'merge' 'mergeOrdered' 'mergeScan' 'min' 'never' 'nwise' 'output' 'prefix' 'prefixFor' 'prefixUntil' 'prefixWhile' 'prepend' 'print' 'race' 'range' 'rateLimit' 'record' 'reduce' 'removeDuplicates' 'repeat' 'repeatElement' 'repeatWhen' 'replaceEmpty' 'replaceError' 'replaceNil' 'retry' 'retryWhen' 'sample' 'scan' 'sequence' 'sequenceEqual' 'share' 'single' 'sort' 'stream' 'sum' 'switchIfEmpty' 'switchMap' 'throttle' 'timeout' 'timer' 'timestamp' 'toLoadingState' 'toResult' 'toggle' 'unwrap' 'validate' 'values' 'window' 'withLatestFrom' 'withPrevious' 'zip' 'zipAll')
    local -ar ___format=('text' 'json' 'markdown')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':name:{__streamrun_complete "${_name[@]}"}'
        '--format[Output format\: text, json or markdown.]:format:{__streamrun_complete "${___format[@]}"}'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_functions() {
    local -i ret=1
    local -ar _name=('in' 'all' 'cel.bind' 'exists' 'existsOne' 'exists_one' 'filter' 'fold' 'groupBy' 'has' 'map' 'optFlatMap' 'optMap' 'sortBy' 'transformList' 'transformMap' 'transformMapEntry' 'bool' 'bytes' 'double' 'duration' 'dyn' 'int' 'string' 'timestamp' 'tryDouble' 'tryInt' 'type' 'uint' 'charAt' 'characters' 'contains' 'endsWith' 'format' 'indexOf' 'join' 'lastIndexOf' 'lowerAscii' 'lowercased' 'matches' 'normalize' 'replace' 'reverse' 'split' 'startsWith' 'strings.quote' 'substring' 'trim' 'upperAscii' 'uppercased' 'regex.extract' 'regex.extractAll' 'regex.groups' 'regex.replace' 'average' 'distinct' 'first' 'flatten' 'isSorted' 'keys' 'last' 'lists.range' 'max' 'merge' 'min' 'percentile' 'rename' 'sets.contains' 'sets.equivalent' 'sets.intersects' 'size' 'slice' 'sort' 'sum' 'values' 'without' 'zip' 'atan2' 'clamp' 'math.abs' 'math.acos' 'math.asin' 'math.atan' 'math.atan2' 'math.bitAnd' 'math.bitNot' 'math.bitOr' 'math.bitShiftLeft' 'math.bitShiftRight' 'math.bitXor' 'math.ceil' 'math.cos' 'math.exp' 'math.floor' 'math.greatest' 'math.isFinite' 'math.isInf' 'math.isNaN' 'math.least' 'math.log' 'math.log10' 'math.pi' 'math.pow' 'math.round' 'math.sign' 'math.sin' 'math.sqrt' 'math.tan' 'math.trunc' 'random' 'round' 'getDate' 'getDayOfMonth' 'getDayOfWeek' 'getDayOfYear' 'getFullYear' 'getHours' 'getMilliseconds' 'getMinutes' 'getMonth' 'getSeconds' 'millis' 'now' 'parseTime' 'timestamp.fromMillis' 'hasValue' 'optional.none' 'optional.of' 'optional.ofNonZeroValue' 'optional.unwrap' 'or' 'orValue' 'unwrapOpt' 'value' 'base64.decode' 'base64.encode' 'parseJSON' 'sha256' 'toJSON' 'cidr' 'containsCIDR' 'containsIP' 'family' 'ip' 'ip.isCanonical' 'isCIDR' 'isGlobalUnicast' 'isIP' 'isLinkLocalMulticast' 'isLinkLocalUnicast' 'isLoopback' 'isUnspecified' 'masked' 'prefixLength')
    local -ar ___format=('text' 'json' 'markdown')
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':name:{__streamrun_complete "${_name[@]}"}'
        '--format[Output format\: text, json or markdown.]:format:{__streamrun_complete "${___format[@]}"}'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '--list[Lists the schemas with their subjects.]'
        '(--output -o)'{--output,-o}'[Writes the schema to this file.]:path:'
        '--write[Writes all schemas to a directory.]:directory:_files -/'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '(--output -o)'{--output,-o}'[Writes the output to this file.]:path:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '-e[Takes a stream in its short form instead of files, such as '\''filter(value > 1) | count()'\''.]:one-liner:{__streamrun_custom_complete ---completion hash -- -e "${current_word_index}" "$(__streamrun_cursor_index_in_current_word)"}'
        '--all[Takes all *.json files of directories, also those that have no member of a stream file.]'
        '--behavior[Prints the hash of the behavior.]'
        '--format[Output format\: text, or json (an array).]:format:{__streamrun_complete "${___format[@]}"}'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_worker() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '--check[Checks whether the keys of the file can be divided among machines, and describes how it runs.]'
        '*--restore-old[Also continues from the state that this version of the file has saved. May be repeated.]:file:_files -g '\''*.json'\'''
        '*--restore-set[A parameter of the versions of --restore-old, if it had another value\: --restore-set quiet=5.]:name=value:'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_shard() {
    local -i ret=1
    local -ar ___color=('auto' 'always' 'never')
    local -ar arg_specs=(
        ':file:_files -g '\''*.json'\'''
        '--redis[The server\: redis\://\[user\:password@\]host\[\:port\]\[/database\], or unix\:///path.]:url:'
        '--shards[Number of shards, which is fixed by the first use.]:count:'
        '--name[Name of the stream in Redis. By default that of the file.]:name:'
        '--feed[Reads records from standard input, one a line, and sends each to the shard of its key.]'
        '*--input-format[Format of all files that feed inputs, and of standard input, or of those of one input, as in --input-format orders=csv\: ndjson, json, csv, tsv or text. With ndjson, each line is one value, also if it is the only one.]:\[name=\]format:'
        '--items[Place of the values in each JSON text, such as --items /results\: the elements of the array there, or the value there.]:pointer:'
        '--csv-delimiter[Character between the fields of a table, such as --csv-delimiter '\'';'\'' or --csv-delimiter tab. Default\: a comma, or the semicolon, tab or vertical bar that the first two rows show.]:character:'
        '--csv-quote[Character around the fields of a table that contain delimiters or line breaks, such as --csv-quote "'\''"; none for no such character. Default\: a double quotation mark.]:character:'
        '--csv-decimal[Character before the decimals of a table'\''s numbers, such as --csv-decimal '\'','\''. Default\: a point or, if commas do not separate the fields, either.]:character:'
        '--csv-types[Types of a table'\''s columns, such as --csv-types '\''ms\:int,price\:double?'\'', for inputs without a type\: all fields are strings otherwise, so that "9" is greater than "100". With a question mark, an empty field is null. infer takes what is written as a number or a Boolean for one, and an empty field for null.]:types:'
        '--end[With --feed\: the input is complete at the end of standard input.]'
        '--numbered[With --feed\: numbers the lines, so that feeding can be repeated from the first line after a failure.]'
        '--results[Prints the results that are there, shard by shard.]'
        '--drain[Stops when all records that are there have been processed.]'
        '--own[Maximum number of shards of this process.]:count:'
        '--lease[Time after which others take over the shards of a silent process.]:seconds:'
        '--batch[Number of records of one transaction.]:count:'
        '--keep[Removes processed records from the logs, except this many.]:count:'
        '--most[Waits while a shard has more results, or with --feed more records, than this.]:count:'
        '--memory[Memory for the keys of each shard, in MiB; keys beyond it are read again from Redis.]:size:'
        '*--restore-old[Also continues from the state that this version of the file has saved. May be repeated.]:file:_files -g '\''*.json'\'''
        '*--restore-set[A parameter of the versions of --restore-old, if it had another value\: --restore-set quiet=5.]:name=value:'
        '*--set[Sets a parameter of the file, or where a stream runs also the initial value of an input\: --set quiet=10. The text is read by the declared type of the parameter; for an input it is JSON.]:name=value:'
        '*--parameters[Sets parameters of the file from a JSON object\: --parameters production.json. --set takes precedence.]:path:_files -g '\''*.json'\'''
        '--seed[Seed of random(), instead of the file'\''s "seed"\: --seed 7. The same seed gives the same numbers.]:integer:'
        '--skip-errors[Skips records that are not JSON, and values that make an operator fail.]'
        '--metrics[Rewrites a file of metrics for Prometheus, as in --metrics /var/lib/node_exporter/tilt.prom.]:file:_files'
        '--metrics-every[Time between two writes of the metrics. Default 5.]:seconds:'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
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
        '--stdio[Accepted for editors that pass it; standard input and output are always used.]'
        '*--allow-read[Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.]:path:'
        '--no-files[Forbids stream files to refer to other files.]'
        '--color[Whether to color messages and differences\: auto, always or never.]:color:{__streamrun_complete "${___color[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_streamrun_studio() {
    local -i ret=1
    local -ar arg_specs=(
        '*:arguments:'
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
