import { isReadableTurn, mayReadHeldOut, type ProjectCtx } from '../../access';
import { readVerifierName, sliceMembers } from '../../domain';
import { loadTurns, partBySize, type StoredTurn, turnKey } from '../../ingest';
import { derivedId, refused } from '../../platform';
import { type ChangedItems, changeItems } from './change-items';
import type { TurnsSource } from './dataset-input';
import { findSourceTurns } from './find-turns';
import { findHumanReferences, type HumanReference } from './human-references';
import { newItem, type NewItem, readItemContent } from './item';
import type { RejectedItem, SentItem } from './read-items';

/** Characters of the items that one request makes. */
const itemChars = 64 * 1024 * 1024;

/**
 * Creates items from stored turns: their input, context, tool calls with results and, if wanted, a
 * reference. A turn that is an item already is left unchanged.
 * @throws AssayError not_found (no such dataset); refused (too much content at once)
 */
export async function addItemsFromTurns(
  ctx: ProjectCtx,
  slug: string,
  input: TurnsSource,
): Promise<ChangedItems> {
  const ids = await findSourceTurns(ctx, input);
  const named = input.review ?? input.filter?.verifier ?? input.verdicts?.verifier;
  const verifier = named === undefined ? undefined : readVerifierName(named).slug;
  const references =
    input.reference === 'human' ? await findHumanReferences(ctx, ids, verifier) : null;
  const itemByTurn = new Map<string, NewItem | Refusal>();
  let chars = 0;
  const keys = (await readableOf(ctx, ids)).map((id) => ({
    projectId: ctx.projectId,
    subjectId: id,
  }));
  for (const part of await partBySize(ctx, keys)) {
    const turns = await loadTurns(ctx, part);
    for (const { projectId, subjectId: id } of part) {
      const read = turns.get(turnKey(projectId, id));
      const item = readable(read, (turn) => itemOf(turn, input, references?.get(id)));
      if (!('code' in item)) chars += item.content.length;
      if (chars > itemChars) throw tooMuch();
      itemByTurn.set(id, item);
    }
  }
  const items: SentItem[] = [];
  const rejected: RejectedItem[] = [];
  ids.forEach((id, index) => {
    const item = itemByTurn.get(id) ?? unknownTurn;
    if ('code' in item) rejected.push({ index, id, ...item });
    else items.push({ index, item });
  });
  return changeItems(ctx, slug, { items, rejected, mode: 'append', keepKnown: true });
}

/** The ids of the turns that the caller may read. */
async function readableOf(ctx: ProjectCtx, ids: readonly string[]): Promise<readonly string[]> {
  if (mayReadHeldOut(ctx)) return ids;
  const rows = await ctx.sql<{ id: string }[]>`
    select t.id from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as k(id)
    cross join lateral (
      select id, origin from turns where project_id = ${ctx.projectId} and id = k.id limit 1
    ) as t
    where ${isReadableTurn(ctx)}`;
  return rows.map(({ id }) => id);
}

const tooMuch = (): Error =>
  refused('the turns have more than 64 MiB of content together; use fewer at once');

type Refusal = Pick<RejectedItem, 'code' | 'message'>;

const unknownTurn: Refusal = { code: 'not_found', message: 'There is no such turn.' };
const damaged: Refusal = { code: 'unreadable', message: 'The stored turn cannot be read.' };

/** Damaged content loses only its own turn. */
function readable(
  read: (() => StoredTurn) | undefined,
  make: (turn: StoredTurn) => NewItem | Refusal,
): NewItem | Refusal {
  if (read === undefined) return unknownTurn;
  let turn: StoredTurn;
  try {
    turn = read();
  } catch {
    return damaged;
  }
  return make(turn);
}

function itemOf(
  turn: StoredTurn,
  input: TurnsSource,
  human: HumanReference | undefined,
): NewItem | Refusal {
  const { input: turnInput, context, tools } = readItemContent(turn.payload);
  if (turnInput === null || turnInput === 'null')
    return { code: 'no_input', message: 'The turn has no input.' };
  if (input.reference === 'human' && human === undefined)
    return { code: 'no_label', message: 'The turn has no ruling or label for a reference.' };
  const metadata = { turn_id: turn.id, session_id: turn.sessionId, model: turn.model };
  return newItem({
    id: derivedId('itm', 'turn', turn.id),
    content: {
      input: turnInput,
      context,
      tools,
      reference: human?.reference ?? (input.reference === 'output' ? outputOf(turn) : null),
      metadata: JSON.stringify(metadata),
    },
    split: input.split,
    tags: input.tags,
    turnId: turn.id,
    selection: human?.selection ?? null,
    probability: human?.probability ?? null,
  });
}

/** JSON text of the turn's output as sent; of its envelope if it has no output. */
function outputOf({ payload }: StoredTurn): string | null {
  const members = sliceMembers(payload);
  for (const name of ['output', 'envelope']) {
    const at = members.get(name);
    const raw = at === undefined ? 'null' : payload.slice(at.start, at.end);
    if (raw !== 'null' && raw !== '""') return raw;
  }
  return null;
}
