/**
 * Sets the text of a field and sends an input event. It bypasses the element's own property, because React ignores values set through that.
 */
export function enter(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
