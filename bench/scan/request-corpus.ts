/**
 * Requests for code of a given length, from a fixed seed (performance.md 4.5): prose, lists,
 * routes, signatures and schemas as in long requests. The files that each requires are known by
 * construction.
 */
export interface CodeRequest {
  readonly text: string;
  readonly deliverables: readonly string[];
}

const stacks = [
  { framework: 'Flask', extension: 'py', keyword: 'def' },
  { framework: 'FastAPI', extension: 'py', keyword: 'def' },
  { framework: 'Express', extension: 'ts', keyword: 'function' },
  { framework: 'React', extension: 'tsx', keyword: 'function' },
  { framework: 'Gin', extension: 'go', keyword: 'func' },
  { framework: 'Axum', extension: 'rs', keyword: 'fn' },
] as const;
const nouns =
  'order invoice customer booking ticket report session shipment payment account review message'.split(
    ' ',
  );
const verbs = 'list load store remove check merge rank print export notify archive count'.split(
  ' ',
);
const fields =
  'id title owner amount status created_at notes priority email total quantity currency'.split(' ');

const prose = [
  'The people who use this work in two shifts, and most of them never saw the system before.',
  'What is entered in the morning must be there in the afternoon, whoever asks for it.',
  'An answer that takes longer than two seconds is given up, and nobody comes back for it.',
  'Amounts are kept as whole cents; they are shown with two digits and a comma.',
  'Errors are told in one sentence, with the number of the thing that they are about.',
  'If the store is away, say so, and keep what was typed until it is there again.',
  'Names may hold any letter of any language, and quotes, and they may be long.',
  'Nothing is deleted: what is not wanted any more is marked, and lists leave it out.',
  'The old tool read its data from a sheet, and some of its habits should stay.',
  'Please keep the number of packages small, since each of them has to be approved.',
];

/** @param chars the approximate number of characters of each text */
export function makeRequests(count: number, chars: number, seed: number): CodeRequest[] {
  const random = sequence(seed);
  return Array.from({ length: count }, () => makeRequest(chars, random));
}

function makeRequest(chars: number, random: () => number): CodeRequest {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const { framework, extension, keyword } = pick(stacks);
  const names = [...nouns].sort(() => random() - 0.5).slice(0, 2 + Math.floor(random() * 5));
  const deliverables = names.map((name) => `src/${name}.${extension}`);
  const parts = [
    `Build a service with ${framework}. It consists of these files:\n${deliverables.map((path) => `- \`${path}\``).join('\n')}\n`,
  ];
  let length = 0;
  for (let i = 0; length < chars; i++) {
    const name = names[i % names.length] ?? 'order';
    const part = paragraph(i, name, keyword, pick);
    parts.push(part);
    length += part.length + 2;
  }
  return { text: parts.join('\n\n').slice(0, chars), deliverables };
}

function paragraph(
  i: number,
  name: string,
  keyword: string,
  pick: <Item>(items: readonly Item[]) => Item,
): string {
  const capital = `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
  const sentences = `${pick(prose)} ${pick(prose)} ${pick(prose)}`;
  if (i % 6 === 1)
    return `${sentences}\n\nRoutes of the ${name}:\n1. GET \`/api/${name}s\` lists them\n2. POST \`/api/${name}s\` adds one`;
  if (i % 6 === 3)
    return `${sentences} A class ${capital} has the fields ${pick(fields)}, ${pick(fields)} and ${pick(fields)}.`;
  if (i % 6 === 5)
    return `\`\`\`\n${keyword} ${pick(verbs)}_${name}(id) {\n  // ${pick(fields)} comes first\n}\n\`\`\``;
  return `${pick(prose)} ${sentences} ${pick(prose)}`;
}

/** Numbers from 0 to 1, the same for the same seed. */
function sequence(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
