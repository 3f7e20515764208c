// Reads files in a page, in its frames, its workers, or in other tabs of it, by the page's own clock, with nothing attached.
// The leader (the first tab) gathers all places where readers run, starts them together, and hands the results over.
// Runs in windows and in workers; the same bytes as origin/routes/stream-content.ts are expected.
'use strict';

const poolBytes = 1_048_573;
const { id, role } = Object.fromEntries(new URL(location.href).searchParams);
const channel = new BroadcastChannel(id);

/** To all other places of this trial. */
function tell(message) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin only
  channel.postMessage(message);
}

/** The pool of random bytes, made anew here: what the origin sends is held against another maker's bytes. */
async function makePool(seed) {
  const text = new TextEncoder().encode(`cachescope stream ${seed}`);
  const hash = await crypto.subtle.digest('SHA-256', text);
  const key = await crypto.subtle.importKey('raw', hash.slice(0, 16), 'AES-CTR', false, [
    'encrypt',
  ]);
  const counter = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
  return new Uint8Array(await crypto.subtle.encrypt(counter, key, new Uint8Array(poolBytes)));
}

function streamStart(name) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % poolBytes;
}

/** Whether the bytes are those of the pool from `at` on, around its end. */
function matches(pool, at, bytes) {
  let place = at % poolBytes;
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] !== pool[place]) return false;
    if (++place === poolBytes) place = 0;
  }
  return true;
}

/** Clocks of pages begin at different times; all times here are ms since the common start. */
function clock(startAt) {
  return performance.timeOrigin + performance.now() - startAt;
}

async function readOne(plan, pool, startAt, { worker, file, name, range }) {
  const startMs = clock(startAt);
  const first = /^bytes=(\d+)-/.exec(range ?? '');
  const from = first ? Number(first[1]) : 0;
  const seen = { bytes: 0, firstByteMs: null, waited: 0, isRight: true };
  const end = (flag, cacheStatus) => ({
    worker,
    file,
    startMs,
    firstByteMs: seen.firstByteMs,
    durationMs: clock(startAt) - startMs,
    bytes: seen.bytes,
    byteWaitMs: seen.bytes === 0 ? null : seen.waited / seen.bytes,
    ...(cacheStatus && { cacheStatus }),
    ...(range && { range }),
    ...(flag && { flag }),
  });
  let answer;
  try {
    const headers = range ? { range } : {};
    answer = await fetch(`${plan.base}/streams/${name}?${String(new URLSearchParams(plan.pace))}`, {
      headers,
    });
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const sinceMs = clock(startAt) - startMs;
      seen.firstByteMs ??= sinceMs;
      seen.waited += value.byteLength * sinceMs;
      seen.isRight &&= matches(pool, streamStart(name) + from + seen.bytes, value);
      seen.bytes += value.byteLength;
    }
  } catch {
    return end(answer ? 'cut-off' : 'failed');
  }
  if (answer.status !== 200 && answer.status !== 206) return end('wrong-status');
  if (!seen.isRight) return end('wrong-body');
  const last = /-(\d+)$/.exec(range ?? '');
  const wanted = (last ? Number(last[1]) + 1 : plan.pace.bytes) - from;
  const whole = answer.status === 206 || !range ? wanted : plan.pace.bytes;
  return end(seen.bytes === whole ? null : 'cut-off');
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One reader: file after file until the time is over. */
async function work(plan, pool, startAt, worker, requests) {
  for (let file = 0; clock(startAt) < plan.timeMs; file++) {
    const name = `${plan.prefix}-file-${file}`;
    const request = await readOne(plan, pool, startAt, { worker, file, name });
    requests.push(request);
    if (request.flag === 'failed') await pause(100);
  }
}

/** Readers of a question: one request each, at its own moment. */
async function ask(plan, pool, startAt, worker, requests) {
  const { name, range, afterMs } = plan.readers[worker];
  await pause(Math.max(0, afterMs - clock(startAt)));
  requests.push(await readOne(plan, pool, startAt, { worker, file: 0, name, range }));
}

/** Reads with this place's share of the readers: every `places`-th of them. */
async function readHere(plan, { place, places, startAt }) {
  const pool = await makePool(plan.pace.seed);
  const requests = [];
  await pause(Math.max(0, -clock(startAt)));
  const one = plan.readers ? ask : work;
  const own = Array.from({ length: plan.workers }, (_, worker) => worker);
  const mine = own.filter((worker) => worker % places === place);
  await Promise.all(mine.map((worker) => one(plan, pool, startAt, worker, requests)));
  return requests;
}

async function fetchPlan() {
  return (await fetch(`/plan?id=${id}`)).json();
}

/** A place that is not the leader: says that it is there whenever it is asked, and reads when it is told its number. */
function follow() {
  const name = crypto.randomUUID();
  const planned = fetchPlan();
  const go = async ({ names, startAt }) => {
    const place = names.indexOf(name);
    if (place < 0) return;
    const share = { place, places: names.length, startAt };
    tell({ type: 'done', name, requests: await readHere(await planned, share) });
  };
  channel.addEventListener('message', ({ data }) => {
    if (data.type === 'who') void planned.then(() => tell({ type: 'here', name }));
    if (data.type === 'go') void go(data);
  });
}

/** Waits until as many places are there as the plan has. */
async function gather(count) {
  const names = new Set();
  const here = ({ data }) => data.type === 'here' && names.add(data.name);
  channel.addEventListener('message', here);
  while (names.size < count) {
    tell({ type: 'who' });
    await pause(50);
  }
  channel.removeEventListener('message', here);
  return [...names].slice(0, count);
}

/** The workers that read: kept, so that none is collected while it works. */
const workers = [];

function startPlaces({ kind, count }) {
  for (let place = 0; place < count; place++) {
    if (kind === 'workers') workers.push(new Worker(`/reader.js?id=${id}&role=follower`));
    if (kind !== 'frames') continue;
    const frame = document.createElement('iframe');
    frame.src = `/reader?id=${id}&role=follower`;
    document.body.append(frame);
  }
}

async function resultsOf(names) {
  const results = new Map();
  await new Promise((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      if (data.type !== 'done') return;
      results.set(data.name, data.requests);
      if (results.size === names.length) resolve();
    });
  });
  return [...results.values()].flat();
}

/** Time between the word to start and the start, ms: every place must have heard it by then. */
const headStartMs = 300;

async function lead() {
  const plan = await fetchPlan();
  const startAt = () => performance.timeOrigin + performance.now() + headStartMs;
  let requests;
  let beganAt;
  if (plan.place.kind === 'page') {
    beganAt = startAt();
    requests = await readHere(plan, { place: 0, places: 1, startAt: beganAt });
  } else {
    startPlaces(plan.place);
    const names = await gather(plan.place.count);
    beganAt = startAt();
    const results = resultsOf(names);
    tell({ type: 'go', names, startAt: beganAt });
    requests = await results;
  }
  const result = JSON.stringify({ requests, clientMs: clock(beganAt) });
  await fetch(`/result?id=${id}`, { method: 'POST', body: result });
}

if (role === 'follower') follow();
else
  lead().catch((error) =>
    fetch(`/result?id=${id}`, { method: 'POST', body: JSON.stringify({ error: String(error) }) }),
  );
