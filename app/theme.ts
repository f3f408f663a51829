/**
 * Runs before the first paint, so that a chosen theme does not flash. `data-choice` is the person's
 * choice (system, light, dark); `data-theme` is the resulting theme, used by the tokens in
 * globals.css.
 */
export const themeScript = `(()=>{const r=document.documentElement,m=matchMedia('(prefers-color-scheme: dark)');
const set=()=>{let c='system';try{c=localStorage.getItem('assay:theme')||'system'}catch{}
if(c!=='light'&&c!=='dark')c='system';r.dataset.choice=c;r.dataset.theme=c==='system'?(m.matches?'dark':'light'):c};
set();m.addEventListener('change',set);addEventListener('assay:theme',set);addEventListener('storage',set)})()`;

export type ThemeChoice = 'system' | 'light' | 'dark';

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem('assay:theme', choice);
  } catch {
    // Storage may be blocked; the choice then lasts for this page only.
    document.documentElement.dataset.theme = choice;
  }
  window.dispatchEvent(new Event('assay:theme'));
}
