import brotli from 'brotli-wasm';
import type { CostAnswer, CostQuestion } from './brotli-cost.ts';

// Compresses each received body once for each quality, and answers after each.
addEventListener('message', ({ data }: MessageEvent<CostQuestion>) => {
  answer(data).catch((error: unknown) => say({ problem: String(error) }));
});

async function answer({ body, qualities }: CostQuestion): Promise<void> {
  const { compress } = await brotli;
  for (const quality of qualities) {
    const startedAt = performance.now();
    const bytes = compress(body, { quality }).length;
    say({ cost: { quality, bytes, compressMs: performance.now() - startedAt } });
  }
}

function say(message: CostAnswer): void {
  postMessage(message);
}
