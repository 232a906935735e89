function __streamrun_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __streamrun_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __streamrun_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __streamrun_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __streamrun_parse_tokens -S
    set -l unparsed_tokens (__streamrun_tokens -pc)
    switch $unparsed_tokens[1]
    case 'streamrun'
        __streamrun_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'run'
            __streamrun_parse_subcommand 1 'input=+' 'input-format=' 'event-time=' 'set=+' 'output=+' 'format=' 'output-format=+' 'rotate=' 'late-output=' 'timestamps' 'virtual' 'speed=' 'limit=' 'for=' 'skip-errors' 'threads=' 'call=+' 'call-header=+' 'call-limit=' 'call-timeout=' 'memory=' 'max-value=' 'watch' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
            __streamrun_parse_subcommand 1 'input=+' 'input-format=' 'event-time=' 'set=+' 'format=' 'timestamps' 'virtual' 'late-output=' 'speed=' 'limit=' 'for=' 'skip-errors' 'threads=' 'tap=+' 'tap-to=' 'metrics=' 'metrics-every=' 'socket=' 'log=' 'memory=' 'max-value=' 'watch' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'validate'
            __streamrun_parse_subcommand -r 1 'format=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'test'
            __streamrun_parse_subcommand -r 1 'v/verbose' 'filter=' 'format=' 'update' 'coverage' 'coverage-below=' 'j/jobs=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'format'
            __streamrun_parse_subcommand -r 1 'o/output=' 'i/in-place' 'check' 'add-ids' 'color=' 'version' 'h/help'
        case 'edit'
            __streamrun_parse_subcommand 1 'set=+' 'remove=+' 'append-item=+' 'insert-item=+' 'remove-item=+' 'add-operator=+' 'remove-operator=+' 'move-operator=+' 'rename=+' 'set-input=+' 'delay=+' 'at=+' 'dry-run' 'o/output=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'diff'
            __streamrun_parse_subcommand -r 1 'format=' 'q/quiet' 'behavior' 'input=+' 'input-format=' 'event-time=' 'limit=' 'for=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'patch'
            __streamrun_parse_subcommand 2 'o/output=' 'i/in-place' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'merge'
            __streamrun_parse_subcommand 3 'favor=' 'path=' 'o/output=' 'i/in-place' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'resolve'
            __streamrun_parse_subcommand 2 'favor=' 'o/output=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'show'
            __streamrun_parse_subcommand 1 'graph' 'stages' 'test=' 'input=+' 'input-format=' 'event-time=' 'every=' 'limit=' 'for=' 'format=' 'width=' 'ascii' 'o/output=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'explain'
            __streamrun_parse_subcommand 1 'plan' 'format=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'bench'
            __streamrun_parse_subcommand -r 1 'input=+' 'input-format=' 'event-time=' 'set=+' 'every=' 'values=' 'rounds=' 'operators' 'skip-errors' 'format=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'top'
            __streamrun_parse_subcommand 1 'json' 'interval=' 'color=' 'version' 'h/help'
        case 'eval'
            __streamrun_parse_subcommand 1 'value=' 'set=+' 'format=' 'explain' 'max-value=' 'color=' 'version' 'h/help'
        case 'import'
            __streamrun_parse_subcommand 1 'o/output=' 'color=' 'version' 'h/help'
        case 'operators'
            __streamrun_parse_subcommand 1 'format=' 'color=' 'version' 'h/help'
        case 'functions'
            __streamrun_parse_subcommand 1 'format=' 'color=' 'version' 'h/help'
        case 'schema'
            __streamrun_parse_subcommand 1 'list' 'o/output=' 'write=' 'color=' 'version' 'h/help'
        case 'canonical'
            __streamrun_parse_subcommand 1 'o/output=' 'color=' 'version' 'h/help'
        case 'hash'
            __streamrun_parse_subcommand -r 1 'behavior' 'format=' 'color=' 'version' 'h/help'
        case 'worker'
            __streamrun_parse_subcommand 1 'check' 'restore-old=+' 'color=' 'version' 'h/help'
        case 'shard'
            __streamrun_parse_subcommand 1 'redis=' 'shards=' 'name=' 'feed' 'input-format=' 'end' 'numbered' 'results' 'drain' 'own=' 'lease=' 'batch=' 'keep=' 'most=' 'memory=' 'restore-old=+' 'skip-errors' 'color=' 'version' 'h/help'
        case 'lsp'
            __streamrun_parse_subcommand 0 'stdio' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'help'
            __streamrun_parse_subcommand -r 1 'version'
        end
    end
end

function __streamrun_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __streamrun_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __streamrun_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __streamrun_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__streamrun_tokens -p)
    if test -z "$(__streamrun_tokens -t)"
        set -l index (count (__streamrun_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'streamrun' -f
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'run' -d 'Runs a stream. This is the default subcommand.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'validate' -d 'Checks stream files and reports all errors.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'test' -d 'Runs the tests in stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'format' -d 'Formats stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'edit' -d 'Edits a stream file and keeps everything else byte for byte.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'diff' -d 'Shows the semantic differences between two stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'patch' -d 'Applies a patch to a stream file.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'merge' -d 'Merges two versions of a stream file with a common base.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'resolve' -d 'Resolves the conflicts that a merge has marked in a stream file.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'show' -d 'Draws a stream as a marble diagram of a run, or as a graph.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'explain' -d 'Explains the operators of a stream, their state and cost, and the compiled plan.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'bench' -d 'Measures how long streams take per value.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'top' -d 'Shows rates, queues, timers, lag and memory of a running stream.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'eval' -d 'Prints the value of an expression as JSON.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'import' -d 'Converts files of the Combine playground, of any generation, to stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'operators' -d 'Lists operators and sources, or describes one of them.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'functions' -d 'Lists the functions of expressions, or describes one of them.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'schema' -d 'Prints the JSON Schema of stream files, or of a command\'s output.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'canonical' -d 'Prints the canonical form of a file\'s JSON (RFC 8785).'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'hash' -d 'Prints hashes of the content or the behavior of stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'worker' -d 'Runs the keys of a partitioned stream for an engine such as Flink.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'shard' -d 'Runs a partitioned stream on several machines that share a Redis.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'lsp' -d 'Runs a language server with diagnostics, explanations and completion for stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun run" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'input' -d 'Feeds an input from a file; - is standard input. The file\'s extension tells its format: .ndjson, .json, .csv, .tsv or .txt; else it has one JSON value per line.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" input-format' -l 'input-format' -d 'Format of all files that feed inputs, and of standard input: ndjson, json, csv, tsv or text.' -rfka 'ndjson json csv tsv text'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" event-time' -l 'event-time' -d 'Event time: an expression over \'value\' that returns a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'set' -d 'Sets the initial value of an input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'output' -d 'Appends the output to a file, such as --output out.csv or, of a stream with several outputs, --output alerts=alerts.ndjson; - is standard output, and \'|COMMAND\' a program that reads the values. The file\'s extension tells its format.' -rF
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" format' -l 'format' -d 'Format of all outputs: ndjson, json, text, csv or marbles. Default: the format of a file\'s extension, or else ndjson.' -rfka 'ndjson json text csv marbles'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'output-format' -d 'Format of one of several outputs, such as --output-format alerts=csv.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" rotate' -l 'rotate' -d 'Renames each output file once it has this size, or at the beginning of each period, such as --rotate 100MB or --rotate 1h: out.ndjson becomes out-20260131T180000Z.ndjson.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" late-output' -l 'late-output' -d 'Appends the values that arrive too late to this file, for a partition with "late": "output".' -rF
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" timestamps' -l 'timestamps' -d 'Prints each value with its time: {"at": seconds since the start, "value": …}.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" virtual' -l 'virtual' -d 'Runs in virtual time, without waiting for timers. The calendar begins in 1970.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" speed' -l 'speed' -d 'Speed of time, such as 10x.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" limit' -l 'limit' -d 'Stops after this number of values.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" for' -l 'for' -d 'Stops after this much stream time.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" skip-errors' -l 'skip-errors' -d 'Skips lines that are not JSON, and values that make an operator fail.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" threads' -l 'threads' -d 'Number of threads: 1, or 2 (the second one reads ahead). Default 2 if that is faster.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'call' -d 'Uses a program or an address to answer the calls of a function: --call geo=\'python3 -u geo.py\', --call geo=https://example.com/geo. A program reads one request per line, {"id", "argument"}, and prints one reply per line, {"id", "value"} or {"id", "failure"}, in any order. To an address, curl posts the argument as JSON; the response is the value.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'call-header' -d 'Adds a line to the header of each request to an address: --call-header geo=\'Authorization: Bearer TOKEN\'. With geo=@FILE, the lines of a file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" call-limit' -l 'call-limit' -d 'Maximum number of calls of a function that are asked at the same time.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" call-timeout' -l 'call-timeout' -d 'Longest wait for an answer; the call fails after it. Default 30 for an address, no limit for a program.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'tap' -d 'Prints the values that operators publish, on standard error: identifiers or locations of operators, separated by commas, or \'*\' for all, as in --tap total,/operators/0.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" tap-to' -l 'tap-to' -d 'Appends these values to a file instead, as in --tap-to seen.ndjson.' -rF
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" metrics' -l 'metrics' -d 'Rewrites a file of metrics for Prometheus, as in --metrics /var/lib/node_exporter/tilt.prom.' -rF
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" metrics-every' -l 'metrics-every' -d 'Time between two writes of the metrics. Default 5.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" socket' -l 'socket' -d 'Listens at a socket in this directory, so that \'streamrun top DIR\' shows the run, as in --socket run.' -rfa '(__streamrun_complete_directories)'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" log' -l 'log' -d 'Format of messages on standard error: text, or json with an object on each line, as in --log json.' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" memory' -l 'memory' -d 'Maximum memory of the program; the run fails beyond it.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" max-value' -l 'max-value' -d 'Maximum length of a printed value; a longer one is an error.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" watch' -l 'watch' -d 'Watches the file and the stream files it refers to, but no files of data. When they change, the running stream continues as the new version and keeps its state as far as possible. A completed stream is restarted.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun validate" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" format' -l 'format' -d 'Format of the errors: text, or json (an array on standard output).' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun test" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" v verbose' -l 'verbose' -s 'v' -d 'Also prints the tests that pass.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" filter' -l 'filter' -d 'Runs only the tests whose name contains this.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" format' -l 'format' -d 'Output format: text, json, junit (XML) or tap (TAP 14).' -rfka 'text json junit tap'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" update' -l 'update' -d 'Replaces failing expectations in the files with the actual output; review the changes.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" coverage' -l 'coverage' -d 'Reports operators and branches of ?:, && and || that no test exercises.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" coverage-below' -l 'coverage-below' -d 'Fails if less than this percentage is covered.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" j jobs' -l 'jobs' -s 'j' -d 'Number of files tested at once. (default: the number of cores)' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" budget' -l 'budget' -d 'Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" memory' -l 'memory' -d 'Maximum memory of the program; the run fails beyond it.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun format" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" o output' -l 'output' -s 'o' -d 'Writes the formatted file here; for a single file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" i in-place' -l 'in-place' -s 'i' -d 'Writes each file in place.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" check' -l 'check' -d 'Writes nothing; lists the files that would change, and exits with 1 if there are any.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" add-ids' -l 'add-ids' -d 'Gives an id to operators with state, so that they keep it when the file changes.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun edit" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'set' -d 'Sets the value at a JSON pointer; /operators/- appends to an array.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'remove' -d 'Removes the value at a JSON pointer.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'append-item' -d 'Appends an item to the stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'insert-item' -d 'Inserts an item before item --at.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'remove-item' -d 'Removes an item.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'add-operator' -d 'Adds an operator at the end, or before operator --at.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'remove-operator' -d 'Removes an operator.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'move-operator' -d 'Moves an operator to the number it has after the edit.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'rename' -d 'Sets the name of the stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'set-input' -d 'Sets the initial value of an input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'delay' -d 'Delay in seconds for the item of the preceding option.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'at' -d 'Position, from 0, for the item or operator of the preceding option.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" dry-run' -l 'dry-run' -d 'Writes nothing; prints the changes as a unified diff.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" o output' -l 'output' -s 'o' -d 'Writes the result to this file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun diff" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" format' -l 'format' -d 'Output format: text, json, patch (RFC 6902) or merge-patch (RFC 7396).' -rfka 'text json patch merge-patch'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" q quiet' -l 'quiet' -s 'q' -d 'Prints nothing and only sets the exit code.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" behavior' -l 'behavior' -d 'Runs both versions in virtual time, on the tests of both files or on --input, and compares their output.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff"' -l 'input' -d 'Feeds an input from a file; - is standard input. The file\'s extension tells its format: .ndjson, .json, .csv, .tsv or .txt; else it has one JSON value per line.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" input-format' -l 'input-format' -d 'Format of all files that feed inputs, and of standard input: ndjson, json, csv, tsv or text.' -rfka 'ndjson json csv tsv text'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" event-time' -l 'event-time' -d 'Event time: an expression over \'value\' that returns a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" limit' -l 'limit' -d 'Maximum number of values compared in a run on --input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" for' -l 'for' -d 'Maximum stream time of a run on --input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" budget' -l 'budget' -d 'Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" memory' -l 'memory' -d 'Maximum memory of the program; the run fails beyond it.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun patch" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun patch" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" o output' -l 'output' -s 'o' -d 'Writes the output to this file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" i in-place' -l 'in-place' -s 'i' -d 'Replaces the input file with the output.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun merge" -eq 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun merge" -eq 2' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun merge" -eq 3' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" favor' -l 'favor' -d 'The side to use in conflicts: ours or theirs.' -rfka 'ours theirs'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" path' -l 'path' -d 'Path of the file if OURS is a temporary copy, as in git; paths in the file are relative to it.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" o output' -l 'output' -s 'o' -d 'Writes the output to this file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" i in-place' -l 'in-place' -s 'i' -d 'Replaces the input file with the output.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun resolve" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" favor' -l 'favor' -d 'The side to use: ours or theirs. (default: the current contents of the file)' -rfka 'ours theirs'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" o output' -l 'output' -s 'o' -d 'Writes the result to this file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun show" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" graph' -l 'graph' -d 'Draws the connections of streams, inputs and operators instead of a run.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" stages' -l 'stages' -d 'Draws a separate line for every source and operator.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" test' -l 'test' -d 'The test to run. Default the first one in the file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show"' -l 'input' -d 'Feeds an input from a file; - is standard input. The file\'s extension tells its format: .ndjson, .json, .csv, .tsv or .txt; else it has one JSON value per line.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" input-format' -l 'input-format' -d 'Format of all files that feed inputs, and of standard input: ndjson, json, csv, tsv or text.' -rfka 'ndjson json csv tsv text'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" event-time' -l 'event-time' -d 'Event time: an expression over \'value\' that returns a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" every' -l 'every' -d 'Without --event-time, virtual time between two values of --input. Default 1.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" limit' -l 'limit' -d 'Maximum number of values on a line.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" for' -l 'for' -d 'Maximum stream time to draw.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" format' -l 'format' -d 'Output format: text or svg, for a graph also mermaid or dot. Default text, or the extension of --output.' -rfka 'text svg mermaid dot'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" width' -l 'width' -d 'Width of the text in columns.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" ascii' -l 'ascii' -d 'Draws with ASCII characters only.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" o output' -l 'output' -s 'o' -d 'Writes the picture to this file: .svg, .mmd, .dot or .txt.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" budget' -l 'budget' -d 'Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" memory' -l 'memory' -d 'Maximum memory of the program; the run fails beyond it.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun explain" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" plan' -l 'plan' -d 'Also lists the instructions of programs.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" format' -l 'format' -d 'Output format: text or json.' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun bench" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench"' -l 'input' -d 'Feeds an input from a file; - is standard input. The file\'s extension tells its format: .ndjson, .json, .csv, .tsv or .txt; else it has one JSON value per line.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" input-format' -l 'input-format' -d 'Format of all files that feed inputs, and of standard input: ndjson, json, csv, tsv or text.' -rfka 'ndjson json csv tsv text'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" event-time' -l 'event-time' -d 'Event time: an expression over \'value\' that returns a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench"' -l 'set' -d 'Sets the initial value of an input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" every' -l 'every' -d 'Without --event-time, virtual time between two values of --input. Default 0.001.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" values' -l 'values' -d 'Number of values per run; a shorter recording is repeated.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" rounds' -l 'rounds' -d 'Number of rounds; each round measures every file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" operators' -l 'operators' -d 'Also measures each stream up to each of its operators.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" skip-errors' -l 'skip-errors' -d 'Skips lines that are not JSON, and values that make an operator fail.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" format' -l 'format' -d 'Output format: text or json.' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" budget' -l 'budget' -d 'Maximum number of steps without an event before a run is stopped. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" memory' -l 'memory' -d 'Maximum memory of the program; the run fails beyond it.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun top" -eq 1' -fa '(__streamrun_complete_directories)'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun top" json' -l 'json' -d 'Prints one report as JSON.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun top" interval' -l 'interval' -d 'Time over which rates are measured.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun top" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun top" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun top" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" value' -l 'value' -d 'The value of \'value\'.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval"' -l 'set' -d 'The value of another variable.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" format' -l 'format' -d 'Output format: json, or text (prints a string as it is).' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" explain' -l 'explain' -d 'Prints the value, its type, its cost, and the plan of each part of the expression.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" max-value' -l 'max-value' -d 'Maximum length of a printed value; a longer one is an error.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun import" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" o output' -l 'output' -s 'o' -d 'The output file, or a directory for one file per stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun operators" -eq 1' -fka 'allSatisfy append audit average buffer call catch collect collectMap collectTime collectUntil combineLatest combineLatestAll compactMap contains count debounce decode delay delaySubscription delayWhen dematerialize distinct drop dropFor dropLast dropUntil dropWhile empty encode enumerated exhaustMap expand fail failIfEmpty failures file filter findIndex first flatMap forkJoin generate groupBy handleEvents ignoreFailure ignoreOutput iif input intersperse isEmpty join just last map mapError marbles materialize max measureInterval merge mergeOrdered mergeScan min never nwise output prefix prefixFor prefixUntil prefixWhile prepend print race range rateLimit record reduce removeDuplicates repeat repeatElement repeatWhen replaceEmpty replaceError replaceNil retry retryWhen sample scan sequence sequenceEqual share single sort stream sum switchIfEmpty switchMap throttle timeout timer timestamp toLoadingState toResult toggle unwrap validate values window withLatestFrom withPrevious zip zipAll'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" format' -l 'format' -d 'Output format: text, json or markdown.' -rfka 'text json markdown'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun functions" -eq 1' -fka 'in all cel.bind exists existsOne exists_one filter has map optFlatMap optMap sortBy transformList transformMap transformMapEntry bool bytes double duration dyn int string timestamp type uint charAt characters contains endsWith format indexOf join lastIndexOf lowerAscii lowercased matches replace reverse split startsWith strings.quote substring trim upperAscii uppercased regex.extract regex.extractAll regex.replace distinct first flatten last lists.range sets.contains sets.equivalent sets.intersects size slice sort atan2 clamp math.abs math.bitAnd math.bitNot math.bitOr math.bitShiftLeft math.bitShiftRight math.bitXor math.ceil math.floor math.greatest math.isFinite math.isInf math.isNaN math.least math.round math.sign math.sqrt math.trunc round getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds now hasValue optional.none optional.of optional.ofNonZeroValue optional.unwrap or orValue unwrapOpt value base64.decode base64.encode parseJSON sha256 toJSON cidr containsCIDR containsIP family ip ip.isCanonical isCIDR isGlobalUnicast isIP isLinkLocalMulticast isLinkLocalUnicast isLoopback isUnspecified masked prefixLength'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun functions" format' -l 'format' -d 'Output format: text, json or markdown.' -rfka 'text json markdown'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun functions" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun functions" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun functions" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun schema" -eq 1' -fka 'stream bench diagnostics diff events explain hash operators patch run test'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" list' -l 'list' -d 'Lists the schemas with their subjects.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" o output' -l 'output' -s 'o' -d 'Writes the schema to this file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" write' -l 'write' -d 'Writes all schemas to a directory.' -rfa '(__streamrun_complete_directories)'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun canonical" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" o output' -l 'output' -s 'o' -d 'Writes the output to this file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun hash" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" behavior' -l 'behavior' -d 'Prints the hash of the behavior.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" format' -l 'format' -d 'Output format: text, or json (an array).' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun worker" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun worker" check' -l 'check' -d 'Checks whether the keys of the file can be divided among machines, and describes how it runs.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun worker"' -l 'restore-old' -d 'Also continues from the state that this version of the file has saved. May be repeated.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun worker" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun worker" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun worker" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun shard" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" redis' -l 'redis' -d 'The server: redis://[user:password@]host[:port][/database], or unix:///path.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" shards' -l 'shards' -d 'Number of shards, which is fixed by the first use.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" name' -l 'name' -d 'Name of the stream in Redis. By default that of the file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" feed' -l 'feed' -d 'Reads records from standard input, one a line, and sends each to the shard of its key.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" input-format' -l 'input-format' -d 'With --feed: format of standard input: ndjson, json, csv, tsv or text. Default ndjson.' -rfka 'ndjson json csv tsv text'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" end' -l 'end' -d 'With --feed: the input is complete at the end of standard input.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" numbered' -l 'numbered' -d 'With --feed: numbers the lines, so that feeding can be repeated from the first line after a failure.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" results' -l 'results' -d 'Prints the results that are there, shard by shard.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" drain' -l 'drain' -d 'Stops when all records that are there have been processed.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" own' -l 'own' -d 'Maximum number of shards of this process.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" lease' -l 'lease' -d 'Time after which others take over the shards of a silent process.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" batch' -l 'batch' -d 'Number of records of one transaction.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" keep' -l 'keep' -d 'Removes processed records from the logs, except this many.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" most' -l 'most' -d 'Waits while a shard has more results, or with --feed more records, than this.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" memory' -l 'memory' -d 'Memory for the keys of each shard, in MiB; keys beyond it are read again from Redis.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard"' -l 'restore-old' -d 'Also continues from the state that this version of the file has saved. May be repeated.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" skip-errors' -l 'skip-errors' -d 'Skips records that are not JSON, and values that make an operator fail.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun shard" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" stdio' -l 'stdio' -d 'Accepted for editors that pass it; standard input and output are always used.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp"' -l 'allow-read' -d 'Lets stream files also refer to this file, or to files below this directory. By default they can refer to regular files below the directory of the main file.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" no-files' -l 'no-files' -d 'Forbids stream files to refer to other files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" color' -l 'color' -d 'Whether to color messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun help" version' -l 'version' -d 'Show the version.'
