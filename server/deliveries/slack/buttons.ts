import { z } from 'zod';

/** The object of the buttons of a message. */
export type SlackButtons =
  | { readonly for: 'alert'; readonly eventId: string }
  | { readonly for: 'verdict'; readonly verdictId: string };

/** The buttons' `action_id`s; Slack returns the one that was pressed. */
export const SlackAction = z.enum(['assay_acknowledge', 'assay_pass', 'assay_fail']);
export type SlackAction = z.infer<typeof SlackAction>;

/** The `block_id` and the `action_id` of the reason's field. */
export const reasonField = 'assay_reason';

/** Slack's limits, in characters (docs.slack.dev/reference/block-kit). */
const sectionChars = 3_000;
const valueChars = 2_000;
/** An override accepts longer reasons, but a chat does not show them. */
const reasonChars = 2_000;

const plain = (text: string) => ({ type: 'plain_text', text }) as const;

const button = (action: SlackAction, text: string, value: string, style?: 'primary' | 'danger') =>
  ({
    type: 'button',
    action_id: action,
    text: plain(text),
    value,
    ...(style !== undefined && { style }),
  }) as const;

/**
 * The blocks of a message with buttons. `text` is escaped for Slack. The reason has a field in the
 * message itself, whose content Slack sends with each button (`state.values`). A dialog would need
 * a bot token, and so another secret and more rights in the workspace. `link` is kept whole. Null
 * if an id is too long for a button.
 */
export function slackBlocks(
  { text, link }: { readonly text: string; readonly link: string },
  buttons: SlackButtons,
): readonly object[] | null {
  const value = buttons.for === 'alert' ? buttons.eventId : buttons.verdictId;
  if (value.length > valueChars) return null;
  const section = {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `${cutEscaped(text, sectionChars - link.length)}${link}`,
      verbatim: true,
    },
  };
  if (buttons.for === 'alert')
    return [
      section,
      { type: 'actions', elements: [button('assay_acknowledge', 'Acknowledge', value)] },
    ];
  return [
    section,
    {
      type: 'input',
      block_id: reasonField,
      optional: true,
      label: plain('Reason, required to overrule the verifier'),
      element: {
        type: 'plain_text_input',
        action_id: reasonField,
        multiline: true,
        max_length: reasonChars,
      },
    },
    {
      type: 'actions',
      elements: [
        button('assay_pass', 'Pass', value, 'primary'),
        button('assay_fail', 'Fail', value, 'danger'),
      ],
    },
  ];
}

/** Cuts escaped text between two characters, and never within an escape, a link or a pair. */
function cutEscaped(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const parts = text.match(/&(?:amp|lt|gt);|<[^>]*>|[\s\S]/gu) ?? [];
  let cut = '';
  for (const part of parts) {
    if (cut.length + part.length > maxChars - 2) break;
    cut += part;
  }
  return `${cut}\n…`;
}
