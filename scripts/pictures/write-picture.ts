import { writeFileSync } from 'node:fs';

/** No file of the repository is larger. */
const mostBytes = 400_000;

/** Writes a picture of the docs. A picture smaller than `leastBytes` does not show what it should, and is refused. */
export function writePicture(path: string, picture: Uint8Array, leastBytes: number): void {
  if (picture.length < leastBytes || picture.length > mostBytes)
    throw new Error(
      `${path} would have ${picture.length} bytes, not ${leastBytes} to ${mostBytes}`,
    );
  writeFileSync(path, picture);
  console.log(`${path}: ${picture.length} bytes`);
}
