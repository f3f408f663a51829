ALTER TABLE "labels" ADD COLUMN "verifier_slug" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "verdict" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "grade" integer;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "undoes" text;--> statement-breakpoint
CREATE INDEX "labels_verdict" ON "labels" USING btree ("project_id","verdict_id") WHERE verdict_id is not null;--> statement-breakpoint
CREATE INDEX "labels_undone" ON "labels" USING btree ("project_id","undoes") WHERE undoes is not null;