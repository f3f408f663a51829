import { z } from 'zod';
import { ContentText, type ContentView, noContent, plainOutput } from '../content-view';

const Consistency = z.object({
  outputs: z.array(z.object({ task_id: z.string(), output: ContentText })),
  shared_context: ContentText,
});

/** Null for content that cannot be read. */
export function showConsistency(subject: unknown): ContentView | null {
  const { data } = Consistency.safeParse(subject);
  if (data === undefined) return null;
  const outputs = data.outputs.map(({ task_id, output }) => ({
    ...plainOutput,
    name: task_id,
    text: output,
  }));
  return { ...noContent, title: null, context: data.shared_context, outputs };
}
