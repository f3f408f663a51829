import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import { cleanText, cleanValue } from '../domain';
import { type Database, newId } from '../platform';

/** A notice for people, sent to any of the project's destinations. */
export interface Notice {
  readonly kind: 'alert' | 'report';
  /** The alert event or the report that the notice is about. */
  readonly refId: string;
  readonly severity: 'high' | 'medium' | 'low';
  /** One line. */
  readonly subject: string;
  /** Markdown for a report, plain text for an alert. The sender escapes quoted text of tenants. */
  readonly text: string;
  /**
   * JSON for machines. `url` is the page with the details; `summary` is the short form in lines,
   * which a chat gets instead of the text.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Stores a notice in `tx` and enqueues it for every enabled destination that accepts its kind.
 * Returns its id.
 */
export async function storeNotice(ctx: ProjectCtx, tx: Database, notice: Notice): Promise<string> {
  const { projectId } = ctx;
  const id = await insertNotice(ctx, tx, notice);
  const sends = notice.kind === 'alert' ? 'alerts' : 'reports';
  await tx.execute(sql`
    insert into deliveries (project_id, id, destination_id, notice_id)
    select project_id, ${deliveryId(id)}, d.id, ${id} from destinations d
    where d.project_id = ${projectId} and d.enabled and ${sends} = any(d.sends)
    on conflict do nothing`);
  await tx.execute(sql`select pg_notify('assay_deliveries', '')`);
  return id;
}

/** Stores a notice without recipients. Replaces text that PostgreSQL cannot store. */
export async function insertNotice(
  ctx: ProjectCtx,
  tx: Database,
  { kind, refId, severity, subject, text, data }: Notice,
): Promise<string> {
  const id = newId('ntc', ctx.clock.now());
  await tx.insert(schema.notices).values({
    projectId: ctx.projectId,
    id,
    kind,
    refId,
    severity,
    subject: cleanText(subject).text,
    text: cleanText(text).text,
    data: cleanValue(data),
  });
  return id;
}

/** The id of the delivery of a notice to the destination `d`, which is always the same. */
export const deliveryId = (noticeId: string) =>
  sql`'dlv_' || left(encode(sha256(convert_to(d.id || ' ' || ${noticeId}::text, 'UTF8')), 'hex'), 26)`;
