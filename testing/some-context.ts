/**
 * A source without figures. Rules do not verify turns without any source (online.md 2), so turns in
 * tests that expect a verdict include this one.
 */
export const SOME_CONTEXT = [{ id: 'c-1', content: 'A note without numbers.' }];
