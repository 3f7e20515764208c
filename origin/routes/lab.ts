import type { ErrorCode } from '@cachescope/model/errors/index.ts';
import {
  type DelayRequest,
  delayRequestSchema,
  type LabAnswer,
  labPaths,
  type LabState,
  type StoredSizes,
} from '@cachescope/model/explore/lab.ts';
import { type Load, loadSchema } from '@cachescope/model/load/load.ts';
import { checked, type Schema } from '@cachescope/model/parsed.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { OriginError } from '../error.ts';

/** Body limit for a load of thousands of resources with all their headers: 64 MiB. */
const largestLoadBytes = 64 * 1024 ** 2;

/** The actions of a lab. The origin forwards requests; the program that started the origin implements them. */
export interface LabHandlers {
  state(): Promise<LabState>;
  /** Each of these four throws OriginError CS_LAB_* when it cannot be done: status 409. */
  setDelay(request: DelayRequest): Promise<LabAnswer>;
  dropPageCache(): Promise<LabAnswer>;
  clearHttpCache(): Promise<LabAnswer>;
  relaunch(): Promise<LabAnswer>;
  /** Settles when the load is on disk. */
  saveLoad(load: Load): Promise<void>;
  stored(): Promise<StoredSizes>;
}

/** The routes of a lab (extension/model/explore/lab.ts), in a scope that has already checked the token. */
export function labRoutes(scope: FastifyInstance, lab: LabHandlers): void {
  scope.get(labPaths.state, () => lab.state());
  scope.get(labPaths.stored, () => lab.stored());
  scope.post(labPaths.delay, (request, reply) =>
    whenFits(reply, delayRequestSchema, request.body, (delay) =>
      answer(reply, lab.setDelay(delay)),
    ),
  );
  scope.post(labPaths.dropPageCache, (_request, reply) => answer(reply, lab.dropPageCache()));
  scope.post(labPaths.clearHttpCache, (_request, reply) => answer(reply, lab.clearHttpCache()));
  scope.post(labPaths.relaunch, (_request, reply) => answer(reply, lab.relaunch()));
  scope.post(labPaths.loads, { bodyLimit: largestLoadBytes }, (request, reply) =>
    whenFits(reply, loadSchema, request.body, async (load) => {
      await lab.saveLoad(load);
      return reply.code(204).send();
    }),
  );
}

async function whenFits<Value>(
  reply: FastifyReply,
  schema: Schema<Value>,
  body: unknown,
  act: (value: Value) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const read = checked('the request', schema, body);
  if ('value' in read) return act(read.value);
  return reply
    .code(400)
    .send({ code: 'CS_LAB_REQUEST' satisfies ErrorCode, message: read.problems.join('; ') });
}

async function answer(reply: FastifyReply, doing: Promise<LabAnswer>): Promise<FastifyReply> {
  try {
    const done = await doing;
    return await reply.code(done.willRestart ? 202 : 200).send(done);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    return reply.code(409).send({ code: error.code, message: error.message });
  }
}
