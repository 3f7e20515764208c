import {
  labAnswerSchema,
  type LabLink,
  labLinkKey,
  labLinkSchema,
  labPaths,
  labRefusalSchema,
  labStateSchema,
  storedSizesSchema,
} from '@cachescope/model/explore/lab.ts';
import { checked, type Schema } from '@cachescope/model/parsed.ts';
import type { LabRequest } from '../commands.ts';
import { type PanelState, showStored, type Update } from '../panel-state.ts';
import { storedAtLoad } from './stored-sizes.ts';

/** Interval at which the lab's state is requested, ms. */
const pollMs = 2000;

/** The lab that started this browser; undefined when there is none. */
async function labLink(): Promise<LabLink | undefined> {
  const storage = globalThis.chrome?.storage?.session;
  if (!storage) return undefined;
  const stored = await storage.get(labLinkKey);
  const parsed = checked('lab', labLinkSchema, stored[labLinkKey]);
  return 'value' in parsed ? parsed.value : undefined;
}

/** Counts requests to the lab and their answers. */
let turns = 0;

/** Shows the controls and the state of the lab while there is one. */
export function followLab(update: Update): void {
  const look = async (): Promise<void> => {
    const link = await labLink();
    if (!link) return;
    const turn = turns;
    const state = await ask(link, labPaths.state, labStateSchema);
    // A request was sent or answered meanwhile: this state may be outdated.
    if (turn !== turns) return;
    update((panel) => ({ ...panel, lab: { problem: panel.lab?.problem ?? '', busy: '', state } }));
  };
  const again = (): void => {
    look()
      .catch((error: unknown) => update(withProblem(error)))
      .finally(() => setTimeout(again, pollMs));
  };
  if (globalThis.chrome?.storage?.session) again();
}

const doing: Readonly<Record<LabRequest['kind'], string>> = {
  delay: 'Setting the delay',
  dropPageCache: 'Dropping the page cache',
  clearHttpCache: 'Clearing the HTTP cache',
  relaunch: 'Restarting the browser',
};

/** Sends a request to the lab and shows the result. Never rejects. */
export async function askLab(request: LabRequest, update: Update): Promise<void> {
  turns++;
  update((panel) => withLab(panel, { busy: doing[request.kind], problem: '' }));
  try {
    const link = await labLink();
    if (!link) throw new Error('The lab has ended.');
    const { kind, ...body } = request;
    const { state, willRestart } = await ask(link, labPaths[kind], labAnswerSchema, body);
    const busy = willRestart ? 'The browser restarts and restores its tabs' : '';
    update((panel) => withLab(panel, { state, busy }));
  } catch (error) {
    update(withProblem(error));
  } finally {
    turns++;
  }
}

/**
 * Reads the stored sizes of the cache and shows them for the displayed load, which must be the newest because entries
 * change. Never rejects.
 */
export async function findStoredSizes(panel: PanelState, update: Update): Promise<void> {
  const id = panel.log.at(-1)?.id;
  try {
    if (id === undefined || id !== panel.heads[0]?.id) {
      throw new Error('Show the newest load first: the cache may have changed since older ones.');
    }
    const link = await labLink();
    if (!link) throw new Error('The lab has ended.');
    const sizes = await ask(link, labPaths.stored, storedSizesSchema);
    update(showStored(storedAtLoad(id, sizes)));
  } catch (error) {
    update(withProblem(error));
  }
}

function withLab(panel: PanelState, change: Partial<NonNullable<PanelState['lab']>>): PanelState {
  return panel.lab ? { ...panel, lab: { ...panel.lab, ...change } } : panel;
}

function withProblem(error: unknown): (panel: PanelState) => PanelState {
  const problem = error instanceof Error ? error.message : String(error);
  return (panel) => withLab(panel, { busy: '', problem });
}

/** A POST if there is a body. A refusal is thrown with the lab's message. */
async function ask<Value>(
  { url, token }: LabLink,
  path: string,
  schema: Schema<Value>,
  body?: object,
): Promise<Value> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer: unknown = await response.json();
  const parsed = checked(path, schema, answer);
  if (response.ok && 'value' in parsed) return parsed.value;
  const refusal = checked(path, labRefusalSchema, answer);
  throw new Error(
    'value' in refusal
      ? refusal.value.message
      : `The lab answered ${path} with status ${response.status}, which is unexpected.`,
  );
}
