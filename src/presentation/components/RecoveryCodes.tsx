import { useCopy } from '../hooks/useCopy.ts';
import { Button } from './Button.tsx';
import { saveFile } from './save-file.ts';

interface Texts {
  readonly title: string;
  readonly copy: string;
  readonly copied: string;
  readonly download: string;
  readonly print: string;
}

/** Recovery codes, with the ways to store them elsewhere: the clipboard, a file, paper. */
export function RecoveryCodes({ codes, texts }: { readonly codes: readonly string[]; readonly texts: Texts }) {
  const [copied, copy] = useCopy(texts.copied);
  const text = codes.join('\n');
  return (
    <>
      <ul data-part="codes" dir="ltr" translate="no">
        {codes.map((code, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- the codes of one app have no other identity
          <li key={place}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div data-part="choices">
        <Button look="secondary" onPress={() => copy(text)}>
          {copied ? texts.copied : texts.copy}
        </Button>
        <Button look="secondary" onPress={() => saveFile('recovery-codes.txt', 'text/plain', `${text}\n`)}>
          {texts.download}
        </Button>
        <Button look="secondary" onPress={() => print(texts.title, text)}>
          {texts.print}
        </Button>
      </div>
    </>
  );
}

/** Prints only the codes, with the name of the site, from a frame without the page's content. */
function print(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.width = '0';
  frame.height = '0';
  frame.style.border = '0';
  document.body.append(frame);
  const { contentWindow: view, contentDocument: page } = frame;
  if (view === null || page === null) return frame.remove();
  const [heading, list] = [page.createElement('h1'), page.createElement('pre')];
  heading.textContent = `${title} – ${location.hostname}`;
  list.textContent = text;
  page.body.append(heading, list);
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}
