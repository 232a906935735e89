// The shapes of the server's answers, for the checker of types. Nothing here runs.

/**
 * @typedef {[number, number]} Range UTF-16 offsets into the text that was sent.
 *
 * @typedef {{path: string, text: string}} Draft
 * @typedef {{path: string, name: string | null, digest: string, size: number, description?: string | null}} FileEntry
 * @typedef {{path: string, size: number}} DataEntry
 *
 * @typedef {{range: Range, text: string}} TextEdit
 * @typedef {object} Diagnostic
 * @property {string} code
 * @property {"error" | "warning" | "note"} severity
 * @property {string} message
 * @property {Range | null} range
 * @property {string | null} [file]
 * @property {string | null} [pointer]
 * @property {string[]} [notes]
 * @property {string | null} [help]
 * @property {{title: string, edits: TextEdit[]} | null} [fix]
 *
 * @typedef {{name: string, type: any, initial?: any, buffer?: any}} InputEntry
 * @typedef {{name: string, pointer: string, range: Range | null}} TestEntry
 * @typedef {object} Analysis
 * @property {Diagnostic[]} diagnostics
 * @property {Outline | null} outline
 * @property {InputEntry[]} inputs
 * @property {string[]} outputs
 * @property {TestEntry[]} tests
 *
 * @typedef {object} Outline
 * @property {string} name
 * @property {string} pointer
 * @property {Range | null} range
 * @property {OutlineStep[]} steps
 * @property {Outline[]} streams
 * @property {any[]} inputs
 * @property {{name: string, pointer: string, stream: Outline}[]} outputs
 *
 * @typedef {object} OutlineStep
 * @property {"input" | "reference" | "file" | "source" | "operator" | "fed"} kind
 * @property {string} name
 * @property {string | null} label
 * @property {string | null} id
 * @property {string} detail
 * @property {string} pointer
 * @property {Range | null} range
 * @property {any} fields
 * @property {{relation: "joined" | "started" | "fed" | "part" | "applied", field: string, name?: string, outline?: Outline}[]}
 *   branches
 *
 * @typedef {object} FedEvent
 * @property {number} at
 * @property {any} [value]
 * @property {true} [finished]
 * @property {any} [failure]
 * @typedef {Record<string, FedEvent[]>} Inputs
 *
 * @typedef {object} RunEvent
 * @property {number | string} id
 * @property {number} at
 * @property {number} [step]
 * @property {any} [value]
 * @property {true} [finished]
 * @property {{code: string, message: string}} [failure]
 * @property {(number | string)[]} causes
 *
 * @typedef {object} Track
 * @property {string} id
 * @property {"input" | "stage" | "output"} kind
 * @property {string} title
 * @property {string} detail
 * @property {string | null} pointer
 * @property {string[]} from
 * @property {boolean} [isSubscribed]
 * @property {RunEvent[]} events
 *
 * @typedef {object} Run
 * @property {Track[]} tracks
 * @property {{at: number, kind: string, input?: string}[]} steps
 * @property {number} end
 * @property {boolean} isCut
 * @property {{code: string, message: string} | null} stop
 * @property {any[]} warnings
 * @property {Inputs} inputs
 *
 * @typedef {object} CatalogField
 * @property {string} name
 * @property {string} kind
 * @property {boolean} required
 * @property {string} summary
 * @property {any} [default]
 * @property {string[]} [choices]
 * @property {number} [min]
 * @property {number} [max]
 * @property {string} [unit]
 * @property {string} [expectation] The values that it takes, in words.
 * @property {any} [variables]
 *
 * @typedef {{title: string, text: string, inputs: string[], output: string, values?: any}} CatalogExample
 * @typedef {object} CatalogEntry
 * @property {string} name
 * @property {string} family
 * @property {string} summary
 * @property {string} documentation
 * @property {string | null} [memory] What it keeps, in words.
 * @property {CatalogField[]} fields
 * @property {CatalogExample[]} examples
 * @property {any} template
 * @typedef {{operators: CatalogEntry[], sources: CatalogEntry[]}} Catalog
 *
 * @typedef {object} Studio
 * @property {string} version
 * @property {string} folder
 * @property {boolean} hasGit
 * @property {string | null} [gitProblem] Why the commits of the folder's repository are not read.
 * @property {{title: string, text: string}[]} examples
 *
 * @typedef {object} View
 * @property {string} id
 * @property {string} title
 * @property {string} hint
 * @property {(root: HTMLElement, context: ViewContext) => {unmount(): void}} mount
 *
 * @typedef {{store: import("./store.js").Store, api: import("./api.js").Api}} ViewContext
 */

export {};
