import { type ScriptedCall, type ScriptedReply, textOf } from './scripted-llm';

/** A judge of one criterion that considers it met, with the nonce of its question. */
export function judgesAll({ body }: ScriptedCall): ScriptedReply {
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
  const criteria = [
    { criterion: 1, reasoning: 'It stands there.', quotes: [], met: true, confidence: 0.9 },
  ];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }) };
}
