import {
  protocolNames,
  type TakenTransfer,
  type TransferCell,
  type TransferFlag,
} from './sample.ts';

/**
 * Checks a request against its cell. Two witnesses say whether the connection was new: the client's times and the
 * origin's count. Either of them suffices for a flag.
 */
export function transferFlagsOf(cell: TransferCell, taken: TakenTransfer): TransferFlag[] {
  const { originRequest, connectMs, protocolName, bodyBytes } = taken;
  const flags: TransferFlag[] = [];
  const saysNew = new Set([
    originRequest === null ? null : originRequest === 1,
    connectMs === null ? null : connectMs > 0,
  ]);
  if (originRequest === null) flags.push('connection-unknown');
  if (cell.connection === 'warm' && saysNew.has(true)) flags.push('opened-connection');
  if (cell.connection === 'cold' && saysNew.has(false)) flags.push('reused-connection');
  if (protocolName !== null && protocolName !== protocolNames[cell.protocol])
    flags.push('other-protocol');
  if (bodyBytes !== cell.responseBytes) flags.push('wrong-size');
  return flags;
}
