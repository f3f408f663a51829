CREATE TABLE "audit_chains" (
	"project_id" text PRIMARY KEY NOT NULL,
	"length" bigint NOT NULL,
	"mac" text NOT NULL,
	"end_mac" text NOT NULL,
	"checked_at" timestamp with time zone,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "detail_hash" text;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "mac" text;--> statement-breakpoint
CREATE INDEX "audit_events_unsealed" ON "audit_events" USING btree ("id") WHERE position is null;