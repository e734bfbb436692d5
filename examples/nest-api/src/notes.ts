import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { Public, Requires, type SignedInRequest } from './auth.js';

@Controller()
export class NotesController {
  private readonly notes = new Map<string, string>();

  @Public()
  @Get()
  greet() {
    return { service: 'notes' };
  }

  @Get('note')
  read(@Req() request: SignedInRequest) {
    return { note: this.notes.get(request.auth.user_id) ?? '' };
  }

  // `fresh` calls the provider, which detects ended sessions at once.
  @Requires({ fresh: true })
  @Put('note')
  write(@Req() request: SignedInRequest, @Body('note') note: unknown) {
    this.notes.set(request.auth.user_id, typeof note === 'string' ? note : '');
    return { saved: true };
  }

  @Requires({ roles: ['editor'] })
  @Get('reports')
  reports() {
    return { reports: ['Q1', 'Q2'] };
  }
}
