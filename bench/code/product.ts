import { endAll, startEdge, startWorker } from '../../testing/processes';
import { createStack } from '../../testing/stack';
import { startTestCluster } from '../../scripts/temporary-cluster.mjs';

/** A verdict on code, as `POST /v1/verify/code` returns it. */
export interface CodeReply {
  readonly id: string;
  readonly state: string;
  readonly verdict: 'PASS' | 'FAIL' | null;
  readonly score: number | null;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
  readonly code: {
    readonly points: Readonly<Record<string, number>>;
    readonly structural_multiplier: number;
    readonly framework: { readonly violation: boolean };
    readonly patterns: readonly { readonly kind: string; readonly matched: boolean }[];
    readonly gates: readonly {
      readonly kind: 'compile' | 'test';
      readonly status: string;
      readonly reason: string | null;
    }[];
  };
}

/** The whole product on a separate database: an edge, a worker, a key. */
export interface Product {
  /**
   * Sends one piece of code and waits for its verdict, however long its gates take.
   * @throws Error on anything but a verdict
   */
  verify(body: Readonly<Record<string, unknown>>): Promise<CodeReply>;
  stop(): Promise<void>;
}

export async function startProduct(): Promise<Product> {
  const cluster = await startTestCluster();
  const stack = await createStack(cluster.url);
  const edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  const headers = { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' };
  return {
    async verify(body) {
      let reply = await fetch(`${edge.url}/v1/verify/code`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ wait_ms: 60_000, ...body }),
      });
      for (;;) {
        const answer = (await reply.json()) as CodeReply;
        if (reply.status !== 200 && reply.status !== 202)
          throw new Error(`${reply.status}: ${JSON.stringify(answer).slice(0, 500)}`);
        if (reply.status === 200 && answer.state === 'settled') return answer;
        await new Promise((resolve) => setTimeout(resolve, 500));
        reply = await fetch(`${edge.url}/v1/verifications/${answer.id}`, { headers });
      }
    },
    async stop() {
      await endAll();
      await stack.close();
      await cluster.stop();
    },
  };
}
