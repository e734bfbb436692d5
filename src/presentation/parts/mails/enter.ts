/** Sets the text of a field with an input event, so that React hears of it: it sees no value that is set past the element's own property. */
export function enter(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
