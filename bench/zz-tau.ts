import { readFileSync } from 'node:fs';
import { scanFigures } from '../server/evaluators/figures/scan';
import { SourceIndex } from '../server/evaluators/figures/source-index';
const traceFigures = (figures: any, _: string, index: any) => figures.map((figure: any) => ({ figure, item: index.find(figure.reading)?.items[0] ?? null }));
import { derive } from '../server/evaluators/figures/derive';
const dir = '/work/shared/data';
let nowhere = 0, derived = 0, some = 0, someDerived = 0;
const sys = JSON.parse(readFileSync(`${dir}/agent-tau-airline.prompts.jsonl`, 'utf8').trim().split('\n')[0]!);
for (const line of readFileSync(`${dir}/agent-tau-airline.jsonl`, 'utf8').trim().split('\n')) {
  const row = JSON.parse(line);
  const sources: any[] = [{ id: 'sys', label: 'p', format: 'text', text: sys.content }];
  for (const m of row.messages) {
    if (m.role === 'tool') sources.push({ id: `t${sources.length}`, label: m.name ?? 'tool', format: 'json', text: String(m.content) });
    else if (m.role === 'user') sources.push({ id: `u${sources.length}`, label: 'user', format: 'text', text: String(m.content) });
    else if (m.role === 'assistant' && m.content) {
      const t = String(m.content);
      const index = new SourceIndex([...sources]);
      const traces = traceFigures(scanFigures(t), t, index);
      for (const [i, { figure, item }] of traces.entries()) {
        const lead = t.slice(0, figure.from), tail = t.slice(figure.to);
        const s = Math.max(...[...lead.matchAll(/[.!?]\s|\n/g)].map((m) => m.index + 1), 0);
        const em = /[.!?](?:\s|$)|\n/.exec(tail);
        const e = figure.to + (em ? em.index : tail.length);
        const others = traces.filter((x, j) => j !== i);
        const d = derive(figure, { before: t.slice(s, figure.from), after: t.slice(figure.to, e), sentence: others.filter((o) => o.figure.from >= s && o.figure.to <= e), above: others.filter((o) => o.figure.to <= s ) }, index);
        if (item) { some++; if (d) { someDerived++; if (process.argv[2] === 's') console.log('S', t.slice(s, figure.from).trim(), `[[${figure.text}]]`, t.slice(figure.to, e), '=>', d.formula.slice(0, 200)); } }
        else { nowhere++; if (d) derived++; if (process.argv[2] !== 's') console.log(d ? 'D' : '-', t.slice(Math.max(0, s), figure.from).trim(), `[[${figure.text}]]`, t.slice(figure.to, e), d ? `=> ${d.formula}` : ''); }
      }
      sources.push({ id: `a${sources.length}`, label: 'a', format: 'text', text: t });
    }
  }
}
console.log({ nowhere, derived, some, someDerived });
