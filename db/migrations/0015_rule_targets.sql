ALTER TABLE "jobs" ADD COLUMN "awaits" jsonb;--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN "awaits" jsonb;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "mapping" jsonb;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "sample_by" text DEFAULT 'subject' NOT NULL;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "every" integer;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "daily_budget_usd" double precision;--> statement-breakpoint
ALTER TABLE "subjects" ADD COLUMN "turn_id" text;--> statement-breakpoint
CREATE INDEX "work_held" ON "work" USING btree ("project_id","subject_id") WHERE state = 'held';