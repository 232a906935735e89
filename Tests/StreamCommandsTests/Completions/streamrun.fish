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
            __streamrun_parse_subcommand 1 'input=+' 'set=+' 'format=' 'timestamps' 'virtual' 'event-time=' 'speed=' 'limit=' 'for=' 'skip-errors' 'threads=' 'watch' 'memory=' 'max-value=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'validate'
            __streamrun_parse_subcommand -r 1 'format=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'test'
            __streamrun_parse_subcommand -r 1 'v/verbose' 'filter=' 'format=' 'update' 'coverage' 'coverage-below=' 'j/jobs=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'format'
            __streamrun_parse_subcommand -r 1 'o/output=' 'i/in-place' 'check' 'add-ids' 'color=' 'version' 'h/help'
        case 'edit'
            __streamrun_parse_subcommand 1 'set=+' 'remove=+' 'append-item=+' 'insert-item=+' 'remove-item=+' 'add-operator=+' 'remove-operator=+' 'move-operator=+' 'rename=+' 'set-input=+' 'delay=+' 'at=+' 'dry-run' 'o/output=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'diff'
            __streamrun_parse_subcommand -r 1 'format=' 'q/quiet' 'behavior' 'input=+' 'event-time=' 'limit=' 'for=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'patch'
            __streamrun_parse_subcommand 2 'o/output=' 'i/in-place' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'merge'
            __streamrun_parse_subcommand 3 'favor=' 'path=' 'o/output=' 'i/in-place' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'resolve'
            __streamrun_parse_subcommand 2 'favor=' 'o/output=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'show'
            __streamrun_parse_subcommand 1 'graph' 'stages' 'test=' 'input=+' 'event-time=' 'every=' 'limit=' 'for=' 'format=' 'width=' 'ascii' 'o/output=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'explain'
            __streamrun_parse_subcommand 1 'plan' 'format=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'bench'
            __streamrun_parse_subcommand -r 1 'input=+' 'set=+' 'event-time=' 'every=' 'values=' 'rounds=' 'operators' 'skip-errors' 'format=' 'budget=' 'memory=' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'eval'
            __streamrun_parse_subcommand 1 'value=' 'set=+' 'format=' 'explain' 'max-value=' 'color=' 'version' 'h/help'
        case 'import'
            __streamrun_parse_subcommand 1 'o/output=' 'color=' 'version' 'h/help'
        case 'export'
            __streamrun_parse_subcommand 1 'to=' 'o/output=' 'list' 'allow-read=+' 'no-files' 'color=' 'version' 'h/help'
        case 'operators'
            __streamrun_parse_subcommand 1 'format=' 'color=' 'version' 'h/help'
        case 'schema'
            __streamrun_parse_subcommand 1 'list' 'o/output=' 'write=' 'color=' 'version' 'h/help'
        case 'canonical'
            __streamrun_parse_subcommand 1 'o/output=' 'color=' 'version' 'h/help'
        case 'hash'
            __streamrun_parse_subcommand -r 1 'behavior' 'format=' 'color=' 'version' 'h/help'
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
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'run' -d 'Runs a stream (what streamrun does if nothing else is said).'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'validate' -d 'Checks stream files, and tells all that is wrong with them.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'test' -d 'Runs the tests that stand in stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'format' -d 'Sets stream files in their stable form.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'edit' -d 'Edits a stream file; all that is not edited stays byte for byte as it is.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'diff' -d 'Shows what differs between two stream files, and what that means.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'patch' -d 'Changes a stream file as a patch says.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'merge' -d 'Brings two versions of a stream file together that came out of one.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'resolve' -d 'Resolves the conflicts that a merge has marked in a stream file.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'show' -d 'Shows a stream as a picture: what happens in a run, or how it is connected.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'explain' -d 'Tells what each operator of a stream does, keeps and costs, and what runs for it.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'bench' -d 'Measures how long streams take for a value.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'eval' -d 'Prints the value of an expression as JSON.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'import' -d 'Converts files of the Combine playground, of any generation, into stream files.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'export' -d 'Writes a stream as Swift with Combine, as JavaScript with RxJS, or as a chart of Mermaid.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'operators' -d 'Lists operators and sources, or tells all about one.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'schema' -d 'Prints the JSON Schema of stream files, or of what a command prints.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'canonical' -d 'Prints the canonical form of a file\'s JSON (RFC 8785).'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'hash' -d 'Prints the ids of files: of what they contain, or of what they do.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'lsp' -d 'Serves an editor: mistakes, explanations and completion while stream files are written.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun run" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'input' -d 'Feeds an input from a file of one JSON value a line; - is standard input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'set' -d 'Gives an input its initial value.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" format' -l 'format' -d 'How values are printed: ndjson, json, text, csv or marbles.' -rfka 'ndjson json text csv marbles'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" timestamps' -l 'timestamps' -d 'Tells the time of each value: {"at": seconds since the start, "value": …}.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" virtual' -l 'virtual' -d 'Virtual time: timers are not waited for. The calendar begins in 1970.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" event-time' -l 'event-time' -d 'The data\'s own clock: an expression over \'value\' that gives a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" speed' -l 'speed' -d 'How much faster time goes, such as 10x.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" limit' -l 'limit' -d 'Stops after so many values.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" for' -l 'for' -d 'Stops after so much time of the stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" skip-errors' -l 'skip-errors' -d 'Leaves out lines that are no JSON, and values that an operator fails at.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" threads' -l 'threads' -d 'How many threads are used: 1, or 2 (the second one reads ahead). Default 2 where that pays.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" watch' -l 'watch' -d 'Watches the file, and those that it names: when they change, the running stream becomes the new one and keeps what still fits. Starts anew after the end.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" memory' -l 'memory' -d 'The most memory that the program may take before the run fails.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" max-value' -l 'max-value' -d 'The longest text of a value that is printed; a longer one is an error.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun validate" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" format' -l 'format' -d 'How what is wrong is printed: text, or json (an array on standard output).' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun validate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun test" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" v verbose' -l 'verbose' -s 'v' -d 'Prints the tests that pass, too.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" filter' -l 'filter' -d 'Runs only the tests whose name contains this.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" format' -l 'format' -d 'How the outcome is printed: text, json, junit (XML) or tap (TAP 14).' -rfka 'text json junit tap'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" update' -l 'update' -d 'Writes what came into the files, in place of expectations that fail; look at what changed.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" coverage' -l 'coverage' -d 'Tells which operators, and which sides of ?:, && and ||, no test exercises.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" coverage-below' -l 'coverage-below' -d 'Fails where less of a hundred is covered.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" j jobs' -l 'jobs' -s 'j' -d 'Files that are tested at once. (default: as many as there are cores)' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" budget' -l 'budget' -d 'How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" memory' -l 'memory' -d 'The most memory that the program may take before the run fails.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun format" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" o output' -l 'output' -s 'o' -d 'Writes the one file there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" i in-place' -l 'in-place' -s 'i' -d 'Writes each file where it is.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" check' -l 'check' -d 'Writes nothing; names the files that would change, and ends with 1 if there are any.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" add-ids' -l 'add-ids' -d 'Gives operators that keep state an id, so that it is found again when the file has changed.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun format" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun edit" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'set' -d 'Puts a value where a JSON pointer leads; /operators/- adds to a list.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'remove' -d 'Removes what a JSON pointer leads to.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'append-item' -d 'Adds an item at the end of the stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'insert-item' -d 'Adds an item in front of item --at.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'remove-item' -d 'Removes an item.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'add-operator' -d 'Adds an operator at the end, or in front of operator --at.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'remove-operator' -d 'Removes an operator.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'move-operator' -d 'Takes an operator to where it has this number afterwards.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'rename' -d 'Gives the stream a name.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'set-input' -d 'Gives an input its initial value.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'delay' -d 'Seconds before the value of the item whose option stands before.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'at' -d 'The place, from 0, for the item or operator whose option stands before.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" dry-run' -l 'dry-run' -d 'Writes nothing; prints what would change, as a unified diff.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" o output' -l 'output' -s 'o' -d 'Writes the outcome there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun edit" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun diff" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" format' -l 'format' -d 'How differences are printed: text, json, patch (RFC 6902) or merge-patch (RFC 7396).' -rfka 'text json patch merge-patch'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" q quiet' -l 'quiet' -s 'q' -d 'Prints nothing; the exit code tells.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" behavior' -l 'behavior' -d 'Runs both versions in virtual time, on the tests of both files or on --input, and compares what they say.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff"' -l 'input' -d 'Feeds an input of both versions from a file of one JSON value a line, with --behavior.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" event-time' -l 'event-time' -d 'The data\'s own clock: an expression over \'value\' that gives a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" limit' -l 'limit' -d 'Compares no more values than these of a run on --input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" for' -l 'for' -d 'Runs on --input no longer than this.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" budget' -l 'budget' -d 'How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" memory' -l 'memory' -d 'The most memory that the program may take before the run fails.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun patch" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun patch" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" o output' -l 'output' -s 'o' -d 'Writes the file there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" i in-place' -l 'in-place' -s 'i' -d 'Writes the file in the place of the one that it was made of.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun patch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun merge" -eq 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun merge" -eq 2' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun merge" -eq 3' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" favor' -l 'favor' -d 'Whose change counts where both are in conflict: ours or theirs.' -rfka 'ours theirs'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" path' -l 'path' -d 'Where the file belongs if OURS is a copy of it, as git makes them: paths in it begin there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" o output' -l 'output' -s 'o' -d 'Writes the file there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" i in-place' -l 'in-place' -s 'i' -d 'Writes the file in the place of the one that it was made of.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun merge" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun resolve" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" favor' -l 'favor' -d 'Whose version is taken: ours or theirs. (default: what stands in the file)' -rfka 'ours theirs'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" o output' -l 'output' -s 'o' -d 'Writes the outcome there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun resolve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun show" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" graph' -l 'graph' -d 'Shows how streams, inputs and operators are connected, in place of a run.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" stages' -l 'stages' -d 'Gives every source and operator a line of its own.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" test' -l 'test' -d 'The test of the file whose run is shown. Default the first.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show"' -l 'input' -d 'Feeds an input from a file of one JSON value a line; - is standard input.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" event-time' -l 'event-time' -d 'The data\'s own clock: an expression over \'value\' that gives a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" every' -l 'every' -d 'Without --event-time, from one value of --input to the next. Default 1.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" limit' -l 'limit' -d 'Shows no more values than these on a line.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" for' -l 'for' -d 'Shows so much time of the stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" format' -l 'format' -d 'How it is shown: text or svg, of a graph also mermaid or dot. Default text, or what --output ends in.' -rfka 'text svg mermaid dot'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" width' -l 'width' -d 'Columns of the text.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" ascii' -l 'ascii' -d 'Draws with ASCII alone.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" o output' -l 'output' -s 'o' -d 'Writes the picture there: .svg, .mmd, .dot or .txt.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" budget' -l 'budget' -d 'How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" memory' -l 'memory' -d 'The most memory that the program may take before the run fails.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun explain" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" plan' -l 'plan' -d 'Lists the instructions of programs, too.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" format' -l 'format' -d 'How it is printed: text or json.' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun bench" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench"' -l 'input' -d 'Feeds an input from a file of one JSON value a line; - is standard input. Without it the values of the files\' own tests are fed.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench"' -l 'set' -d 'Gives an input its initial value.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" event-time' -l 'event-time' -d 'The data\'s own clock: an expression over \'value\' that gives a timestamp, or milliseconds since 1970.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" every' -l 'every' -d 'Without --event-time, virtual time from one value of --input to the next. Default 0.001.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" values' -l 'values' -d 'How many values a run takes; shorter recordings begin again and again.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" rounds' -l 'rounds' -d 'How often each file is measured, by turns.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" operators' -l 'operators' -d 'Measures each stream up to each of its operators, too.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" skip-errors' -l 'skip-errors' -d 'Leaves out lines that are no JSON, and values that an operator fails at.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" format' -l 'format' -d 'How it is printed: text or json.' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" budget' -l 'budget' -d 'How many steps may pass without an event before a run is given up. A step is a delivery, a timer or a value of a batch.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" memory' -l 'memory' -d 'The most memory that the program may take before the run fails.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun bench" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" value' -l 'value' -d 'What \'value\' is.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval"' -l 'set' -d 'What another name is.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" format' -l 'format' -d 'How the value is printed: json, or text (a string as it is).' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" explain' -l 'explain' -d 'Tell the value, its type, what it costs, and what became of each part of the expression.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" max-value' -l 'max-value' -d 'The longest text of a value that is printed; a longer one is an error.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun eval" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun import" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" o output' -l 'output' -s 'o' -d 'A file, or a directory for a file of each stream.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun export" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" to' -l 'to' -d 'What is written: swift, rxjs or mermaid. Required, but for --list.' -rfka 'swift rxjs mermaid'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" o output' -l 'output' -s 'o' -d 'Writes the code there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" list' -l 'list' -d 'Lists the sources and operators that can be exported.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" format' -l 'format' -d 'How they are printed: text, json or markdown.' -rfka 'text json markdown'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun operators" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun schema" -eq 1' -fka 'stream bench diagnostics diff events explain hash operators patch run test'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" list' -l 'list' -d 'Prints the names of the schemas, and what they are of.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" o output' -l 'output' -s 'o' -d 'Writes the schema there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" write' -l 'write' -d 'Writes all schemas into a directory.' -rfa '(__streamrun_complete_directories)'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun schema" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun canonical" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" o output' -l 'output' -s 'o' -d 'Writes the file there.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun canonical" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_positional "streamrun hash" -ge 1' -F
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" behavior' -l 'behavior' -d 'The id of what the stream does.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" format' -l 'format' -d 'How the ids are printed: text, or json (an array).' -rfka 'text json'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun hash" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" stdio' -l 'stdio' -d 'Some editors add it; standard input and output are used anyhow.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp"' -l 'allow-read' -d 'Lets stream files name files below this directory, or this one file, too. They may name regular files below the directory of the file that is given.' -rfka ''
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" no-files' -l 'no-files' -d 'Lets stream files name no files at all.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" color' -l 'color' -d 'Colors of messages and differences: auto, always or never.' -rfka 'auto always never'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" version' -l 'version' -d 'Show the version.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun lsp" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'streamrun' -n '__streamrun_should_offer_completions_for_flags_or_options "streamrun help" version' -l 'version' -d 'Show the version.'
