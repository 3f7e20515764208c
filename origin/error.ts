/** An error that a user can act on. */
export class OriginError extends Error {
  /** Stable: names the error in documentation and scripts. */
  readonly code: `CS_${string}`;

  constructor(code: `CS_${string}`, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OriginError';
    this.code = code;
  }
}
