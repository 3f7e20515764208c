import type { Parsed } from '@cachescope/model/run-document.ts';
import type { RunDocument } from '@cachescope/model/run.ts';
import { element } from './element.ts';
import { embeddedRun, openFiles } from './open-run.ts';
import { runView } from './run-view.ts';
import { followTheme } from './theme.ts';
import './panel.css';

/** Most problems of a file that are listed; the rest is counted. */
const mostProblems = 20;

let redraw = (): void => undefined;

const picker = element('input', {
  type: 'file',
  accept: '.json,.ndjson,application/json',
  multiple: '',
  hidden: '',
  id: 'run-files',
});
const opener = element('button', { type: 'button', title: 'Open run (Ctrl+O)' }, 'Open run…');
const status = element('span', { role: 'status' });
const toolbar = element('div', { role: 'toolbar', 'aria-label': 'Run' }, opener, status);
const content = element('main', {});

function show(opened: Parsed<RunDocument>, name: string): void {
  if ('problems' in opened) return showProblems(opened.problems);
  const { run, samples } = opened.value;
  const view = runView(opened.value);
  content.replaceChildren(view.element);
  view.draw();
  redraw = view.draw;
  document.title = `Cachescope: ${run.plan.workload.title}`;
  status.textContent = `${name}: ${samples.length} samples`;
}

function showProblems(problems: readonly string[]): void {
  const items = problems.slice(0, mostProblems).map((problem) => element('li', {}, problem));
  if (problems.length > mostProblems) {
    items.push(element('li', {}, `and ${problems.length - mostProblems} more`));
  }
  redraw = () => undefined;
  content.replaceChildren(
    element(
      'div',
      { class: 'problems', role: 'alert' },
      element('h1', {}, 'This run cannot be shown'),
      element('ul', {}, ...items),
      element('p', {}, 'Choose other files, or drop them here.'),
    ),
  );
  status.textContent = 'No run open';
}

function showEmpty(): void {
  content.replaceChildren(
    element(
      'div',
      { class: 'empty' },
      element('h1', {}, 'Open a saved run'),
      element(
        'p',
        {},
        'Drop run.json and samples.ndjson of one run here together, or choose them with ',
        element(
          'span',
          { class: 'keys' },
          element('kbd', {}, 'Ctrl'),
          ' + ',
          element('kbd', {}, 'O'),
        ),
        '.',
      ),
      element('p', {}, 'To make a run: ', element('code', {}, 'npm run sweep'), '.'),
    ),
  );
  status.textContent = 'No run open';
}

async function open(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const name = files.map((file) => file.name).join(', ');
  status.textContent = `Opening ${name}…`;
  show(await openFiles(files), name);
}

function listen(): void {
  opener.addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    void open([...(picker.files ?? [])]);
    // The same files can then be chosen again after a correction.
    picker.value = '';
  });
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'o' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    picker.click();
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) document.body.classList.remove('dragging');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    void open([...(event.dataTransfer?.files ?? [])]);
  });
}

document.body.append(toolbar, picker, content);
listen();
followTheme(() => redraw());
const embedded = embeddedRun();
if (embedded) show(embedded, 'This report');
else showEmpty();
// Tells whoever takes a picture of the page that the charts are drawn.
document.body.dataset['ready'] = '';
