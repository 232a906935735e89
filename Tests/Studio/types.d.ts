// What browsers have and TypeScript 4.8 does not know yet.

declare class CompressionStream {
  constructor(format: "deflate-raw" | "deflate" | "gzip");
  readonly readable: ReadableStream<any>;
  readonly writable: WritableStream<any>;
}

declare class DecompressionStream {
  constructor(format: "deflate-raw" | "deflate" | "gzip");
  readonly readable: ReadableStream<any>;
  readonly writable: WritableStream<any>;
}

declare function reportError(error: unknown): void;
