// Node takes a Brotli dictionary from 24.15 and 25.7 on (nodejs/node#61763); its types do not say so yet.
import 'node:zlib';

declare module 'node:zlib' {
  interface BrotliOptions {
    dictionary?: NodeJS.ArrayBufferView | undefined;
  }
}
