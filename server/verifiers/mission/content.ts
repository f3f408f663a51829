import { z } from 'zod';
import { ContentText, type ContentView, noContent } from '../content-view';

const Id = z.string().nullish();
const Mission = z.object({
  description: ContentText,
  tasks: z.array(
    z.object({
      task_id: z.string(),
      description: ContentText,
      output: ContentText,
      verification_id: Id,
      verdict: Id.catch(null),
    }),
  ),
});

/** Null for content that cannot be read. */
export function showMission(subject: unknown): ContentView | null {
  const { data } = Mission.safeParse(subject);
  if (data === undefined) return null;
  const outputs = data.tasks.map(({ task_id, description, output, verification_id, verdict }) => ({
    title: null,
    name: task_id,
    text: output,
    description: description === '' ? null : description,
    verificationId: verification_id ?? null,
    verdict: verdict ?? null,
  }));
  return { ...noContent, title: 'Mission', description: data.description, outputs };
}
