import { type ErrorCode, type ExitCode, exitCodeOf } from '@cachescope/model/errors/index.ts';

/** An error that a user can act on. */
export class OriginError extends Error {
  /** Stable: identifies the error in documentation and scripts. */
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OriginError';
    this.code = code;
    this.exitCode = exitCodeOf(code);
  }
}
