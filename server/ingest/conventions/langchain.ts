/**
 * LangChain's serialized objects. Two forms occur: the serializer's
 * `{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{…}}`, and
 * a plain copy of the object with `lc_kwargs` and its own members. Some clients write `kwargs` as
 * JSON text. Source: langchain-ai/langchainjs, libs/langchain-core/src/load/serializable.ts.
 */
import type { AttributeValue } from '../span';
import { isList, isMap, structured } from './json-value';
import { attributeText, membersOf } from './read-attribute';

type Members = ReadonlyMap<string, AttributeValue>;

/** Wrappers inside each other beyond this number stay unchanged. */
const WRAPPERS_MAX = 64;

/**
 * The members of an object without its wrappers; `type` is then the name of its class, such as
 * `ToolMessage`. Any other object is returned unchanged.
 */
export function unwrapLangChain(members: Members): Members {
  let wrapper = insideOf(members);
  if (wrapper === null) return members;
  for (let depth = 0; depth < WRAPPERS_MAX; depth++) {
    const next = insideOf(wrapper.inner);
    if (next === null) break;
    wrapper = next;
  }
  return withClass(wrapper);
}

export function isLangChain(members: Members): boolean {
  return insideOf(members) !== null;
}

interface Wrapper {
  readonly inner: Members;
  /** The path of the class. */
  readonly id: AttributeValue;
}

function insideOf(members: Members): Wrapper | null {
  const kwargs = membersOf(members.get('kwargs'));
  const id = members.get('id') ?? null;
  if (kwargs !== null && (members.has('lc') || isList(id))) return { inner: kwargs, id };
  const copied = membersOf(members.get('lc_kwargs'));
  if (copied === null) return null;
  const plainMembers = [...members].filter(([key]) => !key.startsWith('lc_'));
  return { inner: new Map([...copied, ...plainMembers]), id: members.get('lc_id') ?? null };
}

function withClass({ inner, id }: Wrapper): Members {
  const path = structured(id);
  const name = isList(path) ? path.at(-1) : null;
  return typeof name === 'string' ? new Map([...inner, ['type', name]]) : withGuessedClass(inner);
}

/** The plain copy does not always name its class; a message without further signs is a person's. */
function withGuessedClass(inner: Members): Members {
  if (attributeText(inner, 'type', 'role') !== null) return inner;
  if (attributeText(inner, 'tool_call_id') !== null) return new Map([...inner, ['type', 'tool']]);
  const isReply = inner.has('tool_calls') || inner.has('usage_metadata');
  if (!isReply && !inner.has('response_metadata')) return inner;
  return new Map([...inner, ['type', isReply ? 'ai' : 'human']]);
}

/**
 * A tool's result, without the member that LangChain's tracers put around a value that is not an
 * object: `{"output":…}`.
 */
export function unwrapReported(value: AttributeValue, ...names: readonly string[]): AttributeValue {
  const members = structured(value);
  if (!isMap(members) || members.size !== 1) return value;
  const [[name, inner] = ['', null]] = members;
  return names.includes(name) ? inner : value;
}
