import { frameHeader, frameHeaderBytes } from '@cachescope/origin/dictionary/framing.ts';
import { decodeWithDictionary } from '@cachescope/origin/encoding/decoder.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { messageOf } from '../../error.ts';
import { type Finding, rfc9842 } from './finding.ts';

const mebibyte = 1024 ** 2;
const sections = { dcb: '4', dcz: '5' } as const;

/** A body in a dictionary coding, with what it must decode to. */
export interface CodedBody {
  url: string;
  coding: 'dcb' | 'dcz';
  /** As received. */
  encoded: Uint8Array;
  dictionary: Uint8Array;
  /** Decoded body of the plain response; null: it changes from request to request. */
  plain: Uint8Array | null;
  /** Most bytes that are decoded. */
  mostBytes: number;
}

/** What is wrong with a body: its header, its window, its bytes. */
export async function bodyFindings(body: CodedBody): Promise<Finding[]> {
  const { url, coding, encoded, dictionary, plain, mostBytes } = body;
  const rule = rfc9842(sections[coding]);
  const error = (says: string, fix: string): Finding[] => [
    { level: 'error', url, says, rule, fix },
  ];
  const header = Buffer.from(encoded.subarray(0, frameHeaderBytes[coding]));
  const right = Buffer.from(frameHeader(coding, dictionary));
  if (!header.equals(right)) {
    const isMagic = header.subarray(0, -32).equals(right.subarray(0, -32));
    return isMagic
      ? error(
          `the ${coding} body names another dictionary than Available-Dictionary`,
          'compress with the dictionary that the request names, or send the plain response.',
        )
      : error(
          `the body is labelled ${coding} and does not begin with its header`,
          `put the ${frameHeaderBytes[coding]} bytes of the header before the compressed stream.`,
        );
  }
  const stream = Buffer.from(encoded.subarray(frameHeaderBytes[coding]));
  const findings = coding === 'dcz' ? dczWindow(stream, dictionary.byteLength) : dcbWindow(stream);
  const windows = findings.flatMap(({ says, fix }) => error(says, fix));
  let decoded: Uint8Array;
  try {
    decoded = await decodeWithDictionary(coding, encoded, dictionary, mostBytes);
  } catch (problem) {
    return [
      ...windows,
      ...error(
        `the ${coding} body cannot be decoded: ${messageOf(problem)}`,
        'compress with this dictionary in raw form.',
      ),
    ];
  }
  if (plain === null)
    return [
      ...windows,
      {
        level: 'note',
        url,
        says: 'two plain responses differ, so whether the decoded body is right is not decided',
        rule,
        fix: '',
      },
    ];
  if (Buffer.from(decoded).equals(Buffer.from(plain))) return windows;
  const says = `the decoded ${coding} body differs from the plain one (${byteSize(decoded.byteLength)}, ${byteSize(plain.byteLength)})`;
  return [
    ...windows,
    ...error(says, 'compress the same version as the plain response, with the same dictionary.'),
  ];
}

type Fault = Pick<Finding, 'says' | 'fix'>;

/** Every client supports 8 MiB or 1.25 times the dictionary, whichever is greater, to 128 MiB. */
function dczWindow(frame: Buffer, dictionaryBytes: number): Fault[] {
  const most = Math.min(128 * mebibyte, Math.max(8 * mebibyte, 1.25 * dictionaryBytes));
  const window = zstdWindowBytes(frame);
  if (window === null || window <= most) return [];
  return [
    {
      says: `the dcz body needs a window of ${byteSize(window)}; clients support ${byteSize(most)} with this dictionary`,
      fix: 'compress with a smaller window (zstd --long=23, or a lower level).',
    },
  ];
}

/** The window that a decoder needs for a zstd frame, bytes (RFC 8878 section 3.1.1.1); null: it is no frame. */
function zstdWindowBytes(frame: Buffer): number | null {
  if (frame.length < 18 || frame.readUInt32LE(0) !== 0xfd2f_b528) return null;
  const descriptor = frame[4] as number;
  if (!(descriptor & 0x20)) {
    const window = frame[5] as number;
    return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  }
  // The body is its own window: its size follows the dictionary's identifier.
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] as number);
  if (descriptor >> 6 === 0) return frame[at] as number;
  if (descriptor >> 6 === 1) return frame.readUInt16LE(at) + 256;
  return descriptor >> 6 === 2 ? frame.readUInt32LE(at) : Number(frame.readBigUInt64LE(at));
}

/** RFC 7932 allows 16 MiB; the extension "Large Window Brotli" begins with a code of its own. */
function dcbWindow(stream: Buffer): Fault[] {
  if (((stream[0] ?? 0) & 0x7f) !== 0x11) return [];
  return [
    {
      says: 'the dcb body is Large Window Brotli, which clients do not decode',
      fix: 'compress with a window of at most 16 MiB (brotli --lgwin=24).',
    },
  ];
}
