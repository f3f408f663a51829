import { isBlank } from '../../domain';
import {
  type Material,
  noSubject,
  outputText,
  type Read,
  readBy,
  type Readings,
} from '../subjects/reading';
import { TurnSubject } from './subject';

/** An answer, and the conversation that it ends. */
export const turnReadings: Readings<TurnSubject> = { turn: readExchange, session: readExchange };

const ROLES: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
]);

function readExchange({ subject }: Material): Read<TurnSubject> {
  const completion = outputText(subject);
  if (isBlank(completion)) return noSubject('no_output', `the ${subject.target} has no output`);
  const { messages } = subject.input;
  if (messages.length === 0)
    return noSubject('no_input', `the ${subject.target} has no message before its output`);
  return readBy(TurnSubject, {
    messages: messages.map((message) =>
      ROLES.has(message.role) ? message : { ...message, role: 'user' },
    ),
    completion,
  });
}
