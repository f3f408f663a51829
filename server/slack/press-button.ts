import { enterProject, openProject, type ProjectCtx } from '../access';
import { acknowledgeNotice } from '../alerts';
import { createLinkCode, findLinkedUser, type SlackDestination, slackText } from '../deliveries';
import { overrideVerdict } from '../labels';
import type { MaskBook } from '../masking';
import { AssayError, type Ctx, derivedId, errorText } from '../platform';
import type { PressedButton } from './payload';

/** Slack's reply to a button: the changed message, or a note that only the person sees. */
export interface ButtonAnswer {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface PressDeps {
  readonly ctx: Ctx;
  readonly masks: Pick<MaskBook, 'text'>;
}

/**
 * Acts for the member who is linked to the Slack user: acknowledges the alerts of a message, or
 * rules on its verdict, with the member's own role. Pressing again changes nothing. Problems that
 * the person can fix become an answer instead of an error.
 * @throws on storage faults: Slack then shows the person that the button failed
 */
export async function pressButton(
  { ctx, masks }: PressDeps,
  destination: SlackDestination,
  pressed: PressedButton,
): Promise<ButtonAnswer> {
  const { projectId, projectSlug, id: destinationId } = destination;
  const tenant = enterProject(
    ctx,
    { id: projectId, slug: projectSlug },
    { kind: 'system', id: 'slack', label: 'Slack' },
  );
  const member = await findLinkedUser(tenant, { projectId, destinationId, user: pressed.user });
  if (member === null) return privately(pressed, howToLink(ctx, destination, pressed));
  try {
    const { ctx: project } = await openProject(
      ctx,
      { ...member, operator: false, via: 'slack' },
      projectSlug,
      'labels.write',
    );
    const done =
      pressed.action === 'assay_acknowledge'
        ? await acknowledge(project, pressed)
        : await rule(project, masks, destination, pressed);
    return publicly(pressed, done);
  } catch (error) {
    if (!(error instanceof AssayError) || !canFix(error)) throw error;
    return privately(pressed, slackText(errorText(error).message));
  }
}

const canFix = ({ code }: AssayError): boolean =>
  code === 'not_found' || code === 'conflict' || code === 'refused' || code === 'forbidden';

async function acknowledge(project: ProjectCtx, { value }: PressedButton): Promise<string> {
  const findings = await acknowledgeNotice(project, value);
  const by = findings.flatMap(({ acknowledged }) => acknowledged?.by ?? []);
  return `Acknowledged by ${slackText([...new Set(by)].join(', '))}`;
}

async function rule(
  project: ProjectCtx,
  masks: PressDeps['masks'],
  destination: SlackDestination,
  { action, value, reason: typed, user, message }: PressedButton,
): Promise<string> {
  const verdict = action === 'assay_pass' ? 'pass' : 'fail';
  const text = typed.trim();
  const reason = text === '' ? undefined : await masks.text(project.projectId, text);
  // Pressing twice, and a replayed request, find the same label.
  const press = [destination.id, message.ts, value, user.teamId, user.id, verdict, reason ?? ''];
  const id = derivedId('lbl', project.projectId, 'slack', JSON.stringify(press));
  const label = await overrideVerdict(project, { verdictId: value, verdict, reason, id });
  const because = label.reason === null ? '' : `: ${slackText(label.reason)}`;
  return `Ruled ${verdict} by ${slackText(label.rater)}${because}`;
}

function howToLink(ctx: Ctx, destination: SlackDestination, { user }: PressedButton): string {
  const code = createLinkCode(
    destination.secret,
    { destinationId: destination.id, user },
    ctx.clock.now(),
  );
  const url = `${ctx.env.webUrl}/p/${destination.projectSlug}/settings/slack?code=${code}`;
  return `Your Slack account is not linked to a member of this project. <${url}|Link it>, then press the button again. The link is for you only and works for 15 minutes.`;
}

/** Replaces the message for everyone: its text without the buttons, and the action taken. */
function publicly({ responseUrl, message }: PressedButton, done: string): ButtonAnswer {
  return {
    url: responseUrl,
    body: { replace_original: true, text: `${message.text}\n✓ ${done}`, unfurl_links: false },
  };
}

function privately({ responseUrl }: PressedButton, text: string): ButtonAnswer {
  return {
    url: responseUrl,
    body: { response_type: 'ephemeral', replace_original: false, text, unfurl_links: false },
  };
}
