/**
 * Bodies of model calls and of their responses that are accepted and take the most time to parse
 * for their size (R-104).
 */

const fill = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(1, Math.floor(bytes / unit.length)));
const keys = (bytes: number): string =>
  Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"k${i}":1,`).join('');
const messagesWith = (content: string): string =>
  `"messages" : [{"role":"user","content":${content}}]`;

/**
 * A chat or messages request of about this many bytes, by the shape that makes it expensive. White
 * space before the colons hides its members from the scan of the ends.
 */
export const worstBodies: Readonly<Record<string, (bytes: number) => string>> = {
  'escaped quotes': (bytes) => `{"model" : "gpt-4o",${messagesWith(`"${fill('\\"', bytes)}"`)}}`,
  backslashes: (bytes) => `{"model" : "gpt-4o",${messagesWith(`"${fill('\\\\', bytes)}"`)}}`,
  'members of metadata': (bytes) => `{"metadata" : {${keys(bytes)}"z":1},${messagesWith('"x"')}}`,
  'members of a message': (bytes) =>
    `{"model" : "gpt-4o","messages" : [{${keys(bytes)}"role":"user","content":"x"}]}`,
  messages: (bytes) =>
    `{"model" : "gpt-4o","messages" : [${fill('{"role":"user"},', bytes)}{"role":"user","content":"x"}]}`,
  parts: (bytes) =>
    `{"model" : "gpt-4o",${messagesWith(`[${fill('{},', bytes)}{"type":"text","text":"x"}]`)}}`,
  numbers: (bytes) => `{"model" : "gpt-4o",${messagesWith(`[${fill('1,', bytes)}1]`)}}`,
  brackets: (bytes) =>
    `{"model" : "gpt-4o",${messagesWith(`${fill('[', bytes / 2)}${fill(']', bytes / 2)}`)}}`,
  'white space': (bytes) =>
    `{"model" : "gpt-4o","messages" : [{"role":"user","content":"x"${fill(' ', bytes)}}]}`,
  'tool calls': (bytes) =>
    `{"model" : "gpt-4o","messages" : [{"role":"assistant","tool_calls":[${fill('{"id":"a","function":{"name":"f","arguments":"{}"}},', bytes)}{}]},{"role":"user","content":"x"}]}`,
};

/** One model response of about this many bytes, with little text. */
export const worstAnswers: Readonly<Record<string, (bytes: number) => string>> = {
  numbers: (bytes) =>
    `{"choices":[{"message":{"content":"It is 5%."},"x":[${fill('1,', bytes)}1]}]}`,
  members: (bytes) => `{"choices":[{"message":{"content":"It is 5%."}}],"x":{${keys(bytes)}"z":1}}`,
  parts: (bytes) =>
    `{"choices":[{"message":{"content":[${fill('{},', bytes)}{"type":"text","text":"It is 5%."}]}}]}`,
};
