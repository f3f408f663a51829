import { fillPrompt, listPlaceholders, type PromptText } from '../../domain';

const NOTE = 'note';

/**
 * The private message with a note for the model: the template with the note inserted literally
 * (QV-42).
 */
export function renderSteering({ text }: Pick<PromptText, 'text'>, note: string): string {
  return listPlaceholders(text).includes(NOTE)
    ? fillPrompt(text, new Map([[NOTE, note]]))
    : `${text}\n\n${note}`;
}
