/**
 * Translates as Chrome and Edge do: each text node is replaced by `<font><font>text</font></font>`, also one that arrives or changes
 * later, except in `translate="no"`. The words stay the same, so that a translated page can be compared with one that is not.
 */
export function translate(root: Node): () => void {
  const isKept = (element: Element): boolean => element.closest('[translate=no], font, script, style') !== null;
  const wrap = (text: Text): void => {
    if (text.data === '' || text.parentElement === null || isKept(text.parentElement)) return;
    const outer = document.createElement('font');
    const inner = outer.appendChild(document.createElement('font'));
    text.replaceWith(outer);
    // Chrome's words are another node: that of the page is out of the document from now on.
    inner.textContent = text.data;
  };
  const all = (within: Node): void => {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) wrap(text);
  };
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      for (const node of [target, ...addedNodes]) {
        if (node.nodeType === Node.TEXT_NODE) wrap(node as Text);
        else all(node);
      }
    }
  });
  all(root);
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  return () => observer.disconnect();
}
