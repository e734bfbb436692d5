import { describe, expect, it, vi } from 'vitest';
import { HiddenForm } from '#infrastructure/browser/hidden-form.ts';
import type { PostedForm } from '#kit/ports/fake-form-post.ts';
import { formPostContract } from './form-post.contract.ts';

formPostContract({ describe, it, expect }, 'HiddenForm on the environment’s document', () => {
  const posted: PostedForm[] = [];
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    expect([this.getAttribute('method'), this.isConnected]).toEqual(['post', true]);
    const fields = Array.from(this.querySelectorAll('input'), ({ name, value }) => [name, value] as const);
    posted.push({ url: this.getAttribute('action') ?? '', fields: Object.fromEntries(fields) });
  });
  return {
    formPost: new HiddenForm(document),
    posted: () => posted,
    leftovers: () => document.querySelectorAll('form, input').length,
    dispose: () => void vi.restoreAllMocks(),
  };
});
