import { and, asc, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { type AssayError, type Ctx, type Database, notFound, refused } from '../../platform';
import { ownRow } from '../create';
import { openActionsSecret } from '../destination';
import { destinationOfCode, readLinkCode, type SlackUser } from './link-code';

/** A Slack user who acts as the current member through the buttons of one destination. */
interface SlackLink {
  readonly destinationId: string;
  readonly destination: string;
  readonly teamId: string;
  readonly slackUserId: string;
  readonly slackName: string;
  readonly createdAt: Date;
}

/** The Slack user and the destination of a code, for the confirmation page. */
interface LinkOffer {
  readonly destination: string;
  readonly user: SlackUser;
}

const { destinations, slackLinks, users } = schema;

/** The account as which a Slack user acts; null if the user is not linked. */
export async function findLinkedUser(
  { db }: Pick<Ctx, 'db'>,
  of: { readonly projectId: string; readonly destinationId: string; readonly user: SlackUser },
): Promise<{ readonly id: string; readonly label: string } | null> {
  const [row] = await db
    .select({ id: users.id, label: users.email })
    .from(slackLinks)
    .innerJoin(users, eq(users.id, slackLinks.userId))
    .where(
      and(
        eq(slackLinks.projectId, of.projectId),
        eq(slackLinks.destinationId, of.destinationId),
        eq(slackLinks.teamId, of.user.teamId),
        eq(slackLinks.slackUserId, of.user.id),
      ),
    );
  return row ?? null;
}

/** Null for a code that is not genuine or has expired. */
export async function readLinkOffer(ctx: ProjectCtx, code: string): Promise<LinkOffer | null> {
  const opened = await openCode(ctx, ctx.db, code);
  return opened === null ? null : { destination: opened.destination.name, user: opened.user };
}

/**
 * Links the Slack user of a code to the signed-in member. A user who was linked before acts as this
 * member from now on.
 * @throws AssayError refused for a code that is not genuine or has expired
 */
export async function linkSlackUser(ctx: ProjectCtx, code: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const opened = await openCode(ctx, tx, code);
    if (opened === null) throw invalidCode();
    const { destination, user } = opened;
    const values = { slackName: user.name, userId: ctx.actor.id, createdAt: ctx.clock.now() };
    await tx
      .insert(slackLinks)
      .values({
        projectId: ctx.projectId,
        destinationId: destination.id,
        teamId: user.teamId,
        slackUserId: user.id,
        ...values,
      })
      .onConflictDoUpdate({
        target: [
          slackLinks.projectId,
          slackLinks.destinationId,
          slackLinks.teamId,
          slackLinks.slackUserId,
        ],
        set: values,
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.linkSlack',
      target: destination.id,
      detail: { team: user.teamId, slackUser: user.id, name: user.name },
    });
  });
}

/** The member's own links. */
export async function listOwnLinks(ctx: ProjectCtx): Promise<SlackLink[]> {
  return ctx.db
    .select({
      destinationId: slackLinks.destinationId,
      destination: destinations.name,
      teamId: slackLinks.teamId,
      slackUserId: slackLinks.slackUserId,
      slackName: slackLinks.slackName,
      createdAt: slackLinks.createdAt,
    })
    .from(slackLinks)
    .innerJoin(
      destinations,
      and(
        eq(destinations.projectId, slackLinks.projectId),
        eq(destinations.id, slackLinks.destinationId),
      ),
    )
    .where(and(eq(slackLinks.projectId, ctx.projectId), eq(slackLinks.userId, ctx.actor.id)))
    .orderBy(asc(destinations.name), asc(slackLinks.slackUserId));
}

/** Removes a link of the member's own. @throws AssayError not_found */
export async function unlinkSlackUser(
  ctx: ProjectCtx,
  link: Pick<SlackLink, 'destinationId' | 'teamId' | 'slackUserId'>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const deletedLinks = await tx
      .delete(slackLinks)
      .where(
        and(
          eq(slackLinks.projectId, ctx.projectId),
          eq(slackLinks.userId, ctx.actor.id),
          eq(slackLinks.destinationId, link.destinationId),
          eq(slackLinks.teamId, link.teamId),
          eq(slackLinks.slackUserId, link.slackUserId),
        ),
      )
      .returning();
    if (deletedLinks.length === 0) throw notFound('link');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.unlinkSlack',
      target: link.destinationId,
      detail: { team: link.teamId, slackUser: link.slackUserId },
    });
  });
}

/**
 * Removes the links of a destination. Members linked themselves under the former signing secret: a
 * holder of another secret could sign requests in their names.
 */
export async function dropLinks(ctx: ProjectCtx, tx: Database, id: string): Promise<void> {
  await tx
    .delete(slackLinks)
    .where(and(eq(slackLinks.projectId, ctx.projectId), eq(slackLinks.destinationId, id)));
}

async function openCode(ctx: ProjectCtx, db: Pick<Database, 'select'>, code: string) {
  const [destination] = await db
    .select()
    .from(destinations)
    .where(ownRow(ctx, destinationOfCode(code) ?? ''));
  const secret =
    destination === undefined ? null : openActionsSecret(ctx, ctx.projectId, destination);
  const read = secret === null ? null : readLinkCode(secret, code, ctx.clock.now());
  return destination === undefined || read === null ? null : { destination, user: read.user };
}

function invalidCode(): AssayError {
  const message = 'is not valid or has expired; press the button in Slack again for a new link';
  return refused(`code: ${message}`, [{ path: 'code', message }]);
}
