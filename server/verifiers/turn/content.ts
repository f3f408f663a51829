import { z } from 'zod';
import { ContentText, type ContentView, noContent, plainOutput } from '../content-view';

const Exchange = z.object({
  messages: z.array(z.object({ role: z.string(), content: ContentText })),
  completion: z.string(),
});

/** Null for content that cannot be read. */
export function showExchange(subject: unknown): ContentView | null {
  const { data } = Exchange.safeParse(subject);
  if (data === undefined) return null;
  const description = data.messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n');
  return {
    ...noContent,
    title: 'Conversation',
    description,
    outputs: [{ ...plainOutput, title: 'Answer', name: 'completion', text: data.completion }],
  };
}
