import { expect, test } from 'vitest';
import { readStatistics } from './socket-statistics.ts';

// iproute2 6.1, Linux 6.18: a response of 30 MB under way.
const line =
  '0      2506680 198.18.77.2:9000 198.18.77.1:56412 cubic wscale:10,10 rto:292 rtt:88.824/0.422 ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:780 ssthresh:494 bytes_sent:10116984 bytes_acked:8997680 bytes_received:8 segs_out:6988 segs_in:3633 data_segs_out:6987 send 101723858bps pacing_rate 122067768bps retrans:0/17 minrtt:40.333';

test('the statistics of a connection', () => {
  expect(readStatistics(line)).toEqual({
    congestion: 'cubic',
    windowSegments: 780,
    roundTripMs: 88.824,
    retransmits: 17,
    sentBytes: 10_116_984,
    sentSegments: 6987,
    sinceSentMs: 0,
  });
});

test('what limited a connection, and when it sent last', () => {
  const limited = `${line} lastsnd:12 busy:400ms rwnd_limited:8ms(2.0%)`;
  expect(readStatistics(limited)).toMatchObject({
    receiveWindowLimitedMs: 8,
    sendBufferLimitedMs: 0,
    sinceSentMs: 12,
  });
});

test('a connection that was sent nothing again has no retransmits; one without statistics is left out', () => {
  expect(readStatistics(line.replace(/ retrans:\S+/, ''))).toMatchObject({ retransmits: 0 });
  expect(readStatistics('0 0 127.0.0.1:80 127.0.0.1:4000')).toBeNull();
});
