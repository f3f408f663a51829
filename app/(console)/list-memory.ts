import { z } from 'zod';

/**
 * The last state of the list in this tab. Escape returns to these filters and this row. On a
 * verdict's page, j and k follow this list instead of the order of all verdicts.
 */
const ListMemory = z.object({
  search: z.string(),
  ids: z.array(z.string()),
  at: z.string().nullable(),
});
export type ListMemory = z.infer<typeof ListMemory>;

const name = (project: string) => `assay:list:${project}`;

/**
 * A list may have 100,000 rows, and a tab's storage holds 5 MB: only this many rows on either side
 * of the opened one are remembered.
 */
const eachSide = 500;

export function rememberList(project: string, memory: ListMemory): void {
  const at = Math.max(0, memory.ids.indexOf(memory.at ?? ''));
  const ids = memory.ids.slice(Math.max(0, at - eachSide), at + eachSide);
  sessionStorage.setItem(name(project), JSON.stringify({ ...memory, ids }));
}

export function recallList(project: string): ListMemory | null {
  const text = sessionStorage.getItem(name(project));
  if (text === null) return null;
  try {
    const memory = ListMemory.safeParse(JSON.parse(text));
    return memory.success ? memory.data : null;
  } catch {
    return null;
  }
}

export function neighbours(
  memory: ListMemory | null,
  id: string,
): { previous: string | null; next: string | null } | null {
  const at = memory?.ids.indexOf(id) ?? -1;
  if (!memory || at === -1) return null;
  return { previous: memory.ids[at - 1] ?? null, next: memory.ids[at + 1] ?? null };
}
