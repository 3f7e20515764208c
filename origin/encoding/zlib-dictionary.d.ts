// Node supports a Brotli dictionary from 24.15 and 25.7 on (nodejs/node#61763); its types lack it.
import 'node:zlib';

declare module 'node:zlib' {
  interface BrotliOptions {
    dictionary?: NodeJS.ArrayBufferView | undefined;
  }
}
