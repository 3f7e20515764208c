/** Ids below this number are held as one bit each. */
const mostBits = 2 ** 25;

/** The ids of a file's items. Most are small numbers without gaps, and a file may have millions. */
export class KnownIds {
  #bits = new Uint8Array(1024);
  readonly #others = new Set<string | number>();

  /** False: the id is known already. */
  add(id: string | number): boolean {
    if (typeof id === 'string' || !Number.isInteger(id) || id < 0 || id >= mostBits) {
      const { size } = this.#others;
      return this.#others.add(id).size > size;
    }
    const [byte, bit] = [id >> 3, 1 << (id & 7)];
    if (byte >= this.#bits.length)
      this.#bits = new Uint8Array(this.#bits.buffer.transfer(2 * (byte + 1)));
    const before = this.#bits[byte] ?? 0;
    this.#bits[byte] = before | bit;
    return (before & bit) === 0;
  }
}
