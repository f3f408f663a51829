'use client';

export { PageFailed as default } from '@/app/(console)/page-failed';
