import { counted, milliseconds } from '../quantity.ts';
import type { PathProof } from './path.ts';
import type { TransferCell } from './sample.ts';
import { seriesLabel } from './words.ts';

/** Less than this was too short to be seen in a time, ms. */
const shortestMs = 1;

/** What held up the sender of a cell by the kernel's count on its connection, in words; empty: nothing that was seen. */
export function heldUpBy(proofs: readonly PathProof[], cell: TransferCell): string[] {
  const label = seriesLabel(cell);
  const sockets = proofs
    .flatMap((proof) => proof.sockets)
    .filter(
      ({ cell: own, responseBytes }) => own === label && responseBytes === cell.responseBytes,
    );
  const most = (of: (socket: (typeof sockets)[number]) => number) =>
    Math.max(0, ...sockets.map(of));
  const again = most(({ retransmits }) => retransmits);
  const windowMs = most(({ receiveWindowLimitedMs }) => receiveWindowLimitedMs ?? 0);
  const bufferMs = most(({ sendBufferLimitedMs }) => sendBufferLimitedMs ?? 0);
  return [
    ...(again > 0 ? [`${counted(again, 'segment')} sent again`] : []),
    ...(windowMs >= shortestMs ? [`receive window full for ${milliseconds(windowMs)}`] : []),
    ...(bufferMs >= shortestMs ? [`send buffer full for ${milliseconds(bufferMs)}`] : []),
  ];
}
